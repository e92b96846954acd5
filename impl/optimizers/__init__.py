"""Methods: functions of a problem and a compressor that return a `RunResult`."""

from impl.optimizers.cat_gd import AdaptiveRun, cat_gd
from impl.optimizers.dcgd import dcgd
from impl.optimizers.dcgd_plus import dcgd_plus, dcgd_plus_reference
from impl.optimizers.diana import diana
from impl.optimizers.diana_plus import diana_plus, diana_plus_reference
from impl.optimizers.gd import gd
from impl.optimizers.marina import MarinaEstimator, marina, marina_reference
from impl.optimizers.memory import Memory
from impl.optimizers.memory_gd import MemoryEstimator, memory_gd, memory_gd_reference
from impl.optimizers.runs.message_trace import MessageTrace
from impl.optimizers.runs.run_result import RunResult
from impl.optimizers.sgd.adaptive_ratios import AdaptiveRatios
from impl.optimizers.sgd.quantized_estimator import Exchange, QuantizedEstimator
from impl.optimizers.sgd.quantized_sgd import quantized_sgd, quantized_sgd_reference
from impl.optimizers.sgd.train_network import Training, train_network

__all__ = [
    "AdaptiveRatios",
    "AdaptiveRun",
    "Exchange",
    "MarinaEstimator",
    "Memory",
    "MemoryEstimator",
    "MessageTrace",
    "QuantizedEstimator",
    "RunResult",
    "Training",
    "cat_gd",
    "dcgd",
    "dcgd_plus",
    "dcgd_plus_reference",
    "diana",
    "diana_plus",
    "diana_plus_reference",
    "gd",
    "marina",
    "marina_reference",
    "memory_gd",
    "memory_gd_reference",
    "quantized_sgd",
    "quantized_sgd_reference",
    "train_network",
]
