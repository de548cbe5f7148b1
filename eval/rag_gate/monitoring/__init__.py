"""The same quality as in the gate, measured in production: light signals, Prometheus metrics, decorators."""

from rag_gate.monitoring.asgi import QualityMiddleware, metrics_app
from rag_gate.monitoring.language import detect_language
from rag_gate.monitoring.metrics import Metrics
from rag_gate.monitoring.monitor import Monitor
from rag_gate.monitoring.phrases import Phrases
from rag_gate.monitoring.signal_log import SignalLog
from rag_gate.monitoring.signals import QualitySignals, collect

__all__ = [
    "Metrics",
    "Monitor",
    "Phrases",
    "QualityMiddleware",
    "QualitySignals",
    "SignalLog",
    "collect",
    "detect_language",
    "metrics_app",
]
