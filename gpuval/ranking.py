"""Rankings, of search and recommendation: measures of the documents of queries in the order of their scores."""

from gpuval.metrics.ranking.gains import *
from gpuval.metrics.ranking.ranked import *
from gpuval.metrics.ranking.retrieval import *
from gpuval.metrics.ranking.stopping import *
