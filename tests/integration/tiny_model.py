"""A language model of 40 kB with random weights, in llama.cpp's file format (GGUF, version 3).

It knows nothing, and its tokens are bytes; held to a grammar it still writes JSON that follows a schema.
"""

import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WIDTH = 16
_INNER = 32
_BOS, _EOS = 256, 257
_TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant:"
_ALIGNMENT = 32
_CONTROL = 3


def _tokens() -> list[str]:
    """Return one token for each byte in GPT-2's spelling, and the two that start and end a text."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)] + ["<|start|>", "<|end|>"]


def _metadata() -> dict[str, Any]:
    tokens = _tokens()
    return {
        "general.architecture": "llama",
        "llama.context_length": 4096,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": 1,
        "llama.feed_forward_length": _INNER,
        "llama.attention.head_count": 2,
        "llama.attention.head_count_kv": 2,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": _WIDTH // 2,
        "llama.vocab_size": len(tokens),
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [1] * 256 + [_CONTROL] * 2,
        "tokenizer.ggml.merges": ["Ġ t"],
        "tokenizer.ggml.bos_token_id": _BOS,
        "tokenizer.ggml.eos_token_id": _EOS,
        "tokenizer.chat_template": _TEMPLATE,
    }


def _tensors() -> dict[str, NDArray[np.float32]]:
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (_EOS + 1, _WIDTH),
        "output.weight": (_EOS + 1, _WIDTH),
        "output_norm.weight": (_WIDTH,),
        "blk.0.attn_norm.weight": (_WIDTH,),
        "blk.0.ffn_norm.weight": (_WIDTH,),
        "blk.0.ffn_gate.weight": (_INNER, _WIDTH),
        "blk.0.ffn_up.weight": (_INNER, _WIDTH),
        "blk.0.ffn_down.weight": (_WIDTH, _INNER),
    }
    shapes |= {f"blk.0.attn_{name}.weight": (_WIDTH, _WIDTH) for name in ("q", "k", "v", "output")}
    random = np.random.default_rng(1)
    return {name: random.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: object) -> tuple[int, bytes]:
    """Return a value's type number and bytes."""
    if isinstance(value, str):
        return 8, _text(value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    assert isinstance(value, list)
    items = [_value(item) if isinstance(item, str) else (5, struct.pack("<i", item)) for item in value]
    return 9, struct.pack("<IQ", items[0][0], len(items)) + b"".join(data for _, data in items)


def write_tiny_model(path: Path) -> None:
    """Write the model file."""
    metadata, tensors = _metadata(), _tensors()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind, data = _value(value)
        head += _text(key) + struct.pack("<I", kind) + data
    body = b""
    for name, tensor in tensors.items():
        sizes = tensor.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, 0, len(body))
        body += tensor.tobytes()
        body += b"\0" * (-len(body) % _ALIGNMENT)
    path.write_bytes(head + b"\0" * (-len(head) % _ALIGNMENT) + body)
