"""What is quicker in array-api-strict refuses what it refused before, also when something like it was allowed."""

import copy
import pickle

import array_api_strict as strict
import numpy as np
import pytest

NO_FLOAT64, NO_X64 = strict.Device("no_float64"), strict.Device("no_x64")
WHOLE, REAL, TRUE = (strict.asarray([1, 2], dtype=x) for x in (strict.int64, strict.float64, strict.bool))


def test_dtypes_are_not_compared_with_those_of_numpy():
    with pytest.warns(UserWarning, match="NumPy native dtype"):
        assert strict.float32 != np.dtype(np.float32)
    assert strict.float32 == strict.asarray(1, dtype=strict.float32).dtype
    assert strict.float32 not in (strict.float64, "float32", None)


def test_arrays_are_copied_and_pickled():
    for copied in (copy.deepcopy(WHOLE), pickle.loads(pickle.dumps(WHOLE))):
        assert copied.dtype == strict.int64
        assert copied._array.tolist() == [1, 2]


def test_flags():
    version = strict.get_array_api_strict_flags()["api_version"]
    with strict.ArrayAPIStrictFlags(api_version="2023.12"):
        assert strict.get_array_api_strict_flags()["api_version"] == "2023.12"
    assert strict.get_array_api_strict_flags()["api_version"] == version


@pytest.mark.parametrize("device", [NO_FLOAT64, NO_X64])
def test_a_device_has_no_dtype_of_another(device):
    for _ in range(2):
        assert strict.asarray([0.5], dtype=strict.float64).dtype == strict.float64
        assert strict.asarray([0.5], dtype=strict.float32, device=device).device == device
        with pytest.raises(ValueError, match="does not support dtype"):
            strict.asarray([0.5], dtype=strict.float64, device=device)


def test_what_a_device_has():
    info = strict.__array_namespace_info__()
    for _ in range(2):
        assert "float64" in info.dtypes()
        assert "float64" not in info.dtypes(device=NO_FLOAT64)
        assert {"int64", "uint64"} & set(info.dtypes(device=NO_FLOAT64, kind="integral")) == {"int64", "uint64"}
        assert not {"int64", "uint64"} & set(info.dtypes(device=NO_X64, kind="integral"))


@pytest.mark.parametrize("wrong", [np.float16, np.longdouble, ">i8", "U1"])
def test_dtypes_that_are_not_of_the_standard(wrong):
    for _ in range(2):
        with pytest.raises(TypeError):
            strict.asarray(np.zeros(2, dtype=wrong))


def test_operators_refuse_dtypes():
    for _ in range(2):
        assert (WHOLE + WHOLE).dtype == strict.int64
        assert (WHOLE & WHOLE).dtype == strict.int64
        assert (REAL + REAL).dtype == strict.float64
        for operation in (
            lambda: WHOLE + REAL,
            lambda: REAL + TRUE,
            lambda: REAL & REAL,
            lambda: WHOLE / WHOLE,
            lambda: TRUE + TRUE,
            lambda: WHOLE + 0.5,
            lambda: WHOLE & True,
            lambda: strict.where(TRUE, WHOLE, REAL),
            lambda: strict.where(WHOLE, WHOLE, WHOLE),
            lambda: strict.exp(WHOLE),
            lambda: WHOLE + np.ones(2),
            lambda: WHOLE + None,
        ):
            with pytest.raises(TypeError):
                operation()


def test_an_operator_does_not_widen_what_it_writes_to():
    narrow = strict.asarray([1, 2], dtype=strict.int32)
    for _ in range(2):
        assert (narrow + WHOLE).dtype == strict.int64
        with pytest.raises(TypeError, match="Cannot perform __iadd__"):
            narrow += WHOLE


def test_scalars_have_bounds():
    small = strict.asarray([1], dtype=strict.int8)
    for _ in range(2):
        assert int((small + 126)[0]) == 127
        with pytest.raises(OverflowError, match="within the bounds"):
            small + 128


def test_arrays_of_two_devices_do_not_meet():
    for _ in range(2):
        with pytest.raises(ValueError, match="different devices"):
            WHOLE + strict.asarray([1, 2], device=strict.Device("device1"))


def test_scalars_of_numpy_become_arrays():
    total = strict.sum(WHOLE)
    assert (total.shape, total.dtype, total.device) == ((), strict.int64, strict.Device("CPU_DEVICE"))
    assert isinstance(total._array, np.ndarray)


def test_indexes():
    assert int(WHOLE[np.int64(1)]) == 2
    assert int(WHOLE[strict.asarray(1)]) == 2
    for _ in range(2):
        with pytest.raises(IndexError):
            WHOLE[0.5]
        with pytest.raises(IndexError):
            WHOLE[[0]]


def test_numbers_beside_arrays_are_told_apart():
    for _ in range(2):
        assert np.signbit((REAL * 0.0)._array).tolist() == [False, False]
        assert np.signbit((REAL * -0.0)._array).tolist() == [True, True]
        assert (REAL + 1).dtype == strict.float64
        assert (WHOLE + 1).dtype == strict.int64
        assert (strict.asarray(1, device=NO_X64, dtype=strict.int32) + 1).device == NO_X64
        with pytest.raises(TypeError):
            REAL + True
        with pytest.raises(TypeError):
            WHOLE + 1.0
        with pytest.raises(OverflowError):
            WHOLE + 2**63
