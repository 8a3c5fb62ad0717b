"""Texts to measure on: natural ones where the repository has them, composed ones elsewhere."""

from functools import cache
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
KIB = 1024
MIB = 1024 * KIB
LARGER_THAN_THE_CACHE = 64 * MIB

_CHINESE = [
    "提交之前先运行测试。",
    "不要直接改动生成的文件。",
    "这个函数返回一个列表，调用者负责检查它是否为空。",
    "如果网络中断，任务会在五分钟后重试。",
    "请在日志里记录错误代码和时间。",
    "我们昨天讨论了新的缓存方案，还没有结论。",
    "上下文窗口快满的时候，旧的消息会被压缩成摘要。",
    "用户可以在设置中选择语言。",
    "测试失败时，先看最后一行输出。",
    "数据库迁移需要停机大约十分钟。",
]
_JAPANESE = [
    "コミットの前にテストを実行してください。",
    "生成されたファイルを直接編集しないこと。",
    "この関数はリストを返します。",
    "接続が切れた場合は、五分後にもう一度試します。",
    "エラーコードと時刻をログに残してください。",
    "古いメッセージは要約に置き換えられます。",
    "設定画面で言語を選べます。",
    "データベースの移行には約十分かかります。",
]


@cache
def ascii_text(size: int) -> str:
    """English and code, so many bytes of ASCII: the repository's own chapters and modules, over again where need be."""
    files = [*sorted((ROOT / "spec").glob("*.md")), *sorted((ROOT / "keel_ref").rglob("*.py"))]
    whole = "".join(file.read_text(encoding="utf-8") for file in files).encode("ascii", "ignore")
    return (whole * -(-size // len(whole)))[:size].decode("ascii")


def chinese_text(size: int) -> str:
    """Chinese, about so many bytes of UTF-8: sentences in an order drawn once."""
    return _composed(tuple(_CHINESE), size)


def japanese_text(size: int) -> str:
    """Japanese, about so many bytes of UTF-8: sentences in an order drawn once."""
    return _composed(tuple(_JAPANESE), size)


@cache
def _composed(sentences: tuple[str, ...], size: int) -> str:
    random = Random(2026)  # noqa: S311 (the same text each time is what is wanted)
    some = [random.choice(sentences) for _ in range(10_000)]
    characters = size // 3  # nearly all of them take three bytes
    whole = "".join(some)
    return (whole * -(-characters // len(whole)))[:characters]
