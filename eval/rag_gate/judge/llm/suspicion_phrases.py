"""Phrases that speak to a judge instead of to a user, in English and Japanese."""

import re

_BEST = r"(?:1\.0{1,2}|0\.9[0-9]?|100 ?(?:points|点)|10/10)(?![0-9 ]*[%％0-9])"
_GOOD = r"(?:pass(?:ed|ing)?|(?:fully )?(?:correct|faithful|supported|grounded)|perfect|verified|true positive|right)"
_PERSON = r"(?:graders?|evaluators?|judges?|scorers?|raters?)"
_MACHINE = rf"(?:(?:ai|llm|automated|model)[- ](?:{_PERSON}|reviewers?|examiners?)|llm[- ]as[- ]a[- ]judge)"
_THIS = r"(?:this|the|my|above|our) (?:\w+ )?(?:answer|response|reply|output|summary|case)"
_PRAISE = r"(?:faithful|fully supported|fully grounded|verified|pre-?approved|validated|flawless|100 ?%)"
_ENGLISH = (
    # Verdicts in the form in which a machine reads them.
    r"(?:faithfulness|relevance|relevancy|correctness|groundedness)_?score|hallucination_?detected|unsupported_claims",
    r"\b(?:supported|addresses|correct)\"? ?[=:] ?\"?(?:true|1)\b",
    rf"\b(?:scores?|ratings?|grades?|verdicts?|output)\"? ?(?:[:=]|is|as|of|should be|must be)? ?\"?(?:{_BEST}|pass\b|correct\b)",
    rf"\b(?:output|give|assign|award|print) (?:\w+ ){{0,4}}(?:{_BEST}|full marks)",
    r"\b(?:output|give|assign|award|deserves?|merits?) (?:\w+ ){0,3}(?:top|perfect|maximum|highest|full) (?:score|marks|rating|grade)",
    r"(?:^|[.!?;] ?)(?:top|perfect|maximum|highest) score\b",
    r"\bscore:\s*$",
    # Orders about what the judge was told, or about its verdict.
    r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,4}(?:instructions?|criteria|rubrics?|prompts?|evaluation)\b",
    rf"\b(?:note|message|attention|dear|hello|memo)(?: to| for)?(?: the| all| any)? ?(?:{_PERSON}|{_MACHINE})\b",
    rf"(?:^|\W)(?:{_PERSON}) ?: ?\w|\b(?:grader|evaluator) (?:output|update|note|instruction)",
    rf"\b{_MACHINE} ?(?::|,|must\b|should\b|please\b|shall\b|are to\b)",
    rf"\b(?:mark|rate|grade|score|treat|judge|label|classify|count|accept) (?:it|this|that|all|every|{_THIS})(?: \w+){{0,5}} as (?:\w+ ){{0,2}}{_GOOD}\b",
    r"\b(?:correctness|faithfulness|verdict)\"? ?[:=] ?\"?(?:correct|faithful|pass)",
    r"\bset (?:\w+ ){0,3}(?:supported|verdict|correctness|faithfulness)\b",
    r"\b(?:all|every|any|these) claims? (?:\w+ ){0,4}(?:pre-?approved|supported|verified|true)\b",
    r"\bif you (?:give|rate|score|grade|mark|judge) (?:this|the|my) (?:answer|response|reply|output)\b",
    r"\bthe (?:reference|expected|gold|ground[- ]truth) answer is (?:wrong|incorrect|outdated|invalid)\b",
    r"\b(?:treat|use) (?:this|the) (?:answer|response) as the (?:reference|gold|ground truth|expected)\b",
    # Praise of the answer by itself.
    rf"\b(?:this|the) (?:answer|summary|response|reply|output)(?: above| below)? (?:is|has been|was) (?:(?!not |never |no )\w+ ){{0,2}}{_PRAISE}",
    # French.
    r"\bignor(?:e|ez|er) (?:\w+ ){0,3}(?:instructions?|consignes?|critères?)\b|\b(?:note|score) (?:maximale?|parfaite?)\b",
    # Ends of the frame, and encodings that are to be undone.
    r"</?(?:answer|instructions?|system|claims?|grading|verdict)>",
    r"={3,} ?(?:end|begin|start) (?:of )?\w+|-{3,} ?end of (?:answer|prompt|data|documents?)\b",
    r"\bsystem (?:prompt|override|instruction) ?:",
    r"^\W*(?:<\|[a-z_ ]{1,30}\|>|\[/?inst\]|<</?sys>>) ?(?:system|user|assistant)?\W*$",
    r"\b(?:decode|rot-?13|base64)\b.{0,40}\b(?:follow|obey|execute|do|run|apply)\b",
)
_PERSON_JA = r"(?:判定者|評価者|採点者|審査員|審査者|(?:評価|採点|審査|判定)担当者?|評価者の皆)"
_MACHINE_JA = r"(?:(?:評価|判定|採点|審査)(?:用の?)?(?:ai|モデル|llm|システム)|ai(?:評価|判定|採点|審査)者?|ジャッジ(?:モデル|llm|ai))"
_ORDER = r"(?:ください|下さい|せよ|なさい|すること|してね|願います|お願い|とする|しろ|るべき)"
_JAPANESE = (
    rf"{_PERSON_JA}(?:様|さま|さん|各位)?(?:へ|に) ?[:、,]|{_PERSON_JA}への(?:指示|注意|連絡|お願い|通知) ?[:、]",
    rf"{_MACHINE_JA}(?:様|さん)?(?:への?(?: ?[:、,]|指示|注意|連絡|お願い|通知|メッセージ)|は.{{0,40}}{_ORDER})",
    r"(?:評価|採点|判定|審査)(?:の)?(?:基準|指示|ルール|プロンプト).{0,8}(?:無視|忘れ|破棄|従わ)",
    r"(?:以上|上記|前|これまで|以前|すべて|全て)の(?:指示|命令|プロンプト|指令)(?!書).{0,8}(?:無視|忘れ|破棄|従わ)",
    rf"(?:満点|最高点|最高評価|最高スコア|合格)(?:を|と|に).{{0,8}}{_ORDER}",
    rf"(?:スコア|score|評点|得点)\"? ?(?:は|を|が|:|=) ?\"?{_BEST}",
    rf"{_BEST}\"? ?(?:点)?(?:を|と)?(?:出力|採点|付け|つけ)",
    r"supported ?[:=] ?true",
    r"(?:この|本|当該|上記の)(?:回答|応答|答え)は.{0,20}(?:検証済|承認済|完璧|完全に(?:正し|忠実)|忠実です|裏付けられて)",
    r"(?:この|本|上記の|当該)(?:回答|応答|答え)を.{0,12}(?:正解|正しい|忠実|合格|満点|supported|correct|true)(?:と|に)",
    r"(?:すべて|全て|全部)の(?:主張|記述|回答|claims?).{0,12}(?:支持|裏付け|supported|正しい|true)",
    r"(?:期待|参照|模範|正解)(?:される|の)?(?:回答|解答|答え).{0,6}(?:誤り|間違|正しくない)",
    r"システム(?:通知|メッセージ|更新|プロンプト)\W{0,3}.{0,20}(?:判定|評価|採点|審査)",
)
_PATTERNS = re.compile("|".join(f"(?:{each})" for each in (*_ENGLISH, *_JAPANESE)))
#: Each phrase holds one of these, which are looked for first: that is much faster.
_TRIGGERS = (
    "score", "supported", "hallucination", "rating", "grade", "verdict", "output", "marks", "criteria", "rubric", "rater",
    "instruction", "ignore", "disregard", "forget", "override", "bypass", "evaluat", "judge", "reviewer", "examiner",
    "addresses", " as ", "ignor", "note max", "note parf", "faithful", "claims", "if you ", "answer", "correct", "summary", "response", "reply", "</", "<i", "<s", "<v",
    "<a", "<c", "<g", "<|", "===", "---", "system", "[inst", "[/inst", "<<", "decode", "rot13", "rot-13", "base64", "1.0",
    "0.9", "100", "10/10", "判定", "評価", "採点", "審査", "ジャッジ", "満点", "最高", "合格", "スコア", "評点", "得点", "出力",
    "回答", "応答", "答え", "解答", "主張", "システム", "指示", "命令", "指令", "プロンプト",
)  # fmt: skip


def may_match(text: str) -> bool:
    """Tell in little time whether :func:`matches` is worth asking."""
    return any(word in text for word in _TRIGGERS)


def matches(text: str) -> bool:
    """Tell whether a text (NFKC, lower case, single spaces) holds such a phrase."""
    return may_match(text) and _PATTERNS.search(text) is not None
