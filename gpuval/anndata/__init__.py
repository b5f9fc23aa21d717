"""Score the clusterings, annotations and embeddings of an AnnData object, by the names of its columns and keys.

:func:`evaluate` scores clusterings of ``adata.obs``, :func:`integration_scores` embeddings of ``adata.obsm`` as
integrations of batches, :func:`stability` says how stable the runs of each resolution are, and :func:`report` makes an
HTML page. Importing this module also gives every AnnData these functions as methods, such as
``adata.gpuval.evaluate(...)``.
"""

from __future__ import annotations

from gpuval.anndata.accessor import register_accessor
from gpuval.anndata.evaluation import evaluate, report
from gpuval.anndata.integration import integration_scores
from gpuval.anndata.runs import stability

__all__ = ["evaluate", "integration_scores", "report", "stability"]

register_accessor()
