"""The command ``gpuval``, which contains all other commands."""

from __future__ import annotations

import click

from gpuval import __version__
from gpuval.cli.commands.demonstration import demo
from gpuval.cli.commands.evaluating import evaluate
from gpuval.cli.commands.examples import examples
from gpuval.cli.commands.measures import list_metrics
from gpuval.cli.commands.reporting import report

_COMPLETION = """

\b
To complete commands, measures and columns by Tab, run this, or put it into the start-up file of your shell:
  bash  eval "$(_GPUVAL_COMPLETE=bash_source gpuval)"
  zsh   eval "$(_GPUVAL_COMPLETE=zsh_source gpuval)"
  fish  _GPUVAL_COMPLETE=fish_source gpuval | source"""


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "demo",
        "metrics",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --metrics all",
        "report cells.h5ad --true cell_type --pred 'leiden_*' --embedding X_pca -o report.html",
        more=_COMPLETION,
    ),
)
@click.version_option(__version__, message="gpuval %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Score clusterings: against true labels, or by the coordinates of the samples."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (evaluate, report, demo, list_metrics):
    commands.add_command(command)
