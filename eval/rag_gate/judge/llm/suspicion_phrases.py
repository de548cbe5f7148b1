"""Phrases that speak to a judge instead of to a user, in English and Japanese.

Those of ``SURE`` have no other use to speak of. Those of ``UNSURE`` also stand in rules of exams, in settings, in
insurance terms and in court reports; they are sorted by what they try, and two attempts side by side are sure.

All are applied to plain text: lower case, no accents on Latin letters, single spaces, none beside Japanese.
"""

from collections.abc import Mapping

_BEST = r"(?:1\.0{1,2}|0\.9[0-9]?|100 ?(?:points|点)|10/10)(?![0-9 ]*[%％0-9])"
_GOOD = r"(?:pass(?:ed|ing)?|(?:fully )?(?:correct|faithful|supported|grounded|substantiated)|perfect|verified|true positive|right)"
_PERSON = r"(?:graders?|evaluators?|judges?|scorers?|raters?)"
_MACHINE = rf"(?:(?:ai|llm|automated|model)[- ](?:{_PERSON}|reviewers?|examiners?)|llm[- ]as[- ]a[- ]judge)"
_THIS = r"(?:this|the|my|above|our) (?:\w+ )?(?:answer|response|reply|output|summary|case)"
_PRAISE = r"(?:faithful|fully supported|fully grounded|verified|pre-?approved|validated|flawless|100 ?%)"
_MARK = r"(?:mark|rate|grade|score|treat|judge|label|classify|count|accept|consider|regard|deem|report)"
_ORDER = (
    rf"(?:please |kindly |you (?:must|should|are to) )?(?:{_MARK}|respond|reply|give|set|output|return|assume|pass|approve|award|"
    r"ignore|disregard|say)\b"
)
_TOLD = r"(?:instructions?|criteria|rubrics?|prompts?|evaluation|guidelines)"
_IGNORE = r"\b(?:ignore|disregard|forget|override|bypass)"
_SURE_ENGLISH = (
    # Verdicts in the form in which a machine reads them.
    r"(?:faithfulness|relevance|relevancy|correctness|groundedness)_?score|hallucination_?detected|unsupported_claims",
    r"\b(?:correctness|faithfulness)\"? ?[:=] ?\"?(?:correct|faithful|pass)",
    # Orders about what the judge was told, or about its verdict.
    rf"{_IGNORE} (?:\w+ ){{0,4}}(?:criteria|rubrics?|evaluation)\b",
    (
        rf"{_IGNORE} (?:(?:all|any|the|your|these|those) )?(?:previous|prior|above|earlier|preceding|other|system) (?:\w+ )?{_TOLD}"
        r"(?: above)?(?: ?[.!,;:]| ?\Z| and (?:output|give|mark|say|rate|score|reply|respond|return|set|pass|print))"
    ),
    rf"\b(?:note|message|attention|dear|hello|memo)(?: to| for)?(?: the| all| any)? ?(?:{_PERSON}|{_MACHINE})\b",
    rf"(?:^|\W)(?:{_PERSON}|reviewers?|assessors?|examiners?) ?[:,] ?{_ORDER}",
    r"\b(?:grader|evaluator) (?:output|update|note|instruction)",
    rf"\b{_MACHINE} ?(?::|,|must\b|should\b|please\b|shall\b|are to\b)",
    rf"\b{_MARK} (?:{_THIS})(?: \w+){{0,5}} as (?:\w+ ){{0,2}}{_GOOD}\b",
    (
        rf"\b{_MARK} (?:everything|(?:every|each|all(?: of)?(?: the| these)?) (?:claims?|statements?|sentences?))(?: \w+){{0,3}} "
        rf"(?:as )?(?:\w+ ){{0,2}}(?:{_GOOD}|backed|proven|true)\b"
    ),
    r"\b(?:output|give|assign|award) (?:this|my) (?:answer|response|reply|output) (?:\w+ ){0,3}(?:score|marks|rating|grade|points)",
    r"\bset (?:\w+ ){0,3}(?:verdict|correctness|faithfulness)\b",
    r"\bif you (?:give|rate|score|grade|mark|judge) (?:this|the|my) (?:answer|response|reply|output)\b",
    r"\b(?:treat|use) (?:this|the) (?:answer|response) as the (?:reference|gold|ground truth|expected)\b",
    # Praise of the answer by itself.
    rf"\bthis (?:answer|summary|response|reply|output)(?: above| below)? (?:is|has been|was) (?:(?!not |never |no )\w+ ){{0,2}}{_PRAISE}",
    r"\bsystem override\b",
)
_UNSURE_ENGLISH: Mapping[str, tuple[str, ...]] = {
    "value": (
        r"\b(?:supported|addresses|correct)\"? ?[=:] ?\"?(?:true|1)\b",
        rf"\b(?:scores?|ratings?|grades?|verdicts?|output)\"? ?(?:[:=]|is|as|of|should be|must be)? ?\"?(?:{_BEST}|pass\b|correct\b)",
        rf"\b(?:output|give|assign|award|print) (?:\w+ ){{0,4}}(?:{_BEST}|full marks)",
        r"\b(?:output|give|assign|award|deserves?|merits?) (?:\w+ ){0,3}(?:top|perfect|maximum|highest|full) (?:score|marks|rating|grade)",
        r"(?:^|[.!?;] ?)(?:top|perfect|maximum|highest) score\b",
        r"\bscore: ?$",
        r"\bverdict\"? ?[:=] ?\"?(?:correct|faithful|pass)",
    ),
    "ignore": (rf"{_IGNORE} (?:\w+ ){{0,4}}{_TOLD}\b",),
    "address": (rf"(?:^|\W)(?:{_PERSON}) ?: ?\w",),
    "mark": (rf"\b{_MARK} (?:it|this|that|all|every)(?: \w+){{0,5}} as (?:\w+ ){{0,2}}{_GOOD}\b",),
    "claims": (
        r"\b(?:all|every|any|these) claims? (?:\w+ ){0,4}(?:pre-?approved|supported|verified|true)\b",
    ),
    "reference": (
        r"\bthe (?:reference|expected|gold|ground[- ]truth) answer is (?:wrong|incorrect|outdated|invalid)\b",
    ),
    "praise": (
        rf"\bthe (?:answer|summary|response|reply|output)(?: above| below)? (?:is|has been|was) (?:(?!not |never |no )\w+ ){{0,2}}{_PRAISE}",
    ),
    "frame": (
        r"</?(?:answer|instructions?|system|claims?|grading|verdict)>",
        r"={3,} ?(?:end|begin|start) (?:of )?\w+|-{3,} ?end of (?:answer|prompt|data|documents?)\b",
        r"\bsystem (?:prompt|instruction) ?:",
    ),
    "code": (r"\b(?:decode|rot-?13|base64)\b.{0,40}\b(?:follow|obey|execute|do|run|apply)\b",),
}
_PERSON_JA = r"(?:判定者|評価者|採点者|審査員|審査者|(?:評価|採点|審査|判定)担当者?|評価者の皆)"
_MACHINE_JA = r"(?:(?:評価|判定|採点|審査)(?:用の?)?(?:ai|モデル|llm|システム)|ai(?:評価|判定|採点|審査)者?|ジャッジ(?:モデル|llm|ai))"
_ORDER_JA = r"(?:ください|下さい|せよ|なさい|すること|してね|願います|お願い|とする|しろ|るべき|報告)"
_SURE_JAPANESE = (
    rf"{_PERSON_JA}(?:様|さま|さん|各位)?(?:へ|に) ?:|{_PERSON_JA}への(?:指示|注意|連絡|お願い|通知) ?[:、]",
    rf"{_MACHINE_JA}(?:様|さん)?(?:への?(?: ?[:、,]|指示|注意|連絡|お願い|通知|メッセージ)|は.{{0,40}}{_ORDER_JA})",
    r"(?:この|本|上記の|当該)(?:回答|応答|答え)を.{0,12}(?:正解|正しい|忠実|合格|満点|supported|correct|true)(?:と|に)",
    (
        r"(?:この|本|上記の|以上の)(?:文章|文|内容|回答|応答)[^。]{0,24}(?:問題なし|正しい|正解|合格|裏付けあり|忠実|支持)(?:と|に)"
        rf"[^。]{{0,6}}{_ORDER_JA}"
    ),
)
_UNSURE_JAPANESE: Mapping[str, tuple[str, ...]] = {
    "value": (
        rf"(?:満点|最高点|最高評価|最高スコア|合格)(?:を|と|に).{{0,8}}{_ORDER_JA}",
        rf"(?:スコア|score|評点|得点)\"? ?(?:は|を|が|:|=) ?\"?{_BEST}",
        rf"{_BEST}\"? ?(?:点)?(?:を|と)?(?:出力|採点|付け|つけ)",
    ),
    "ignore": (
        r"(?:評価|採点|判定|審査)(?:の)?(?:基準|指示|ルール|プロンプト).{0,8}(?:無視|忘れ|破棄|従わ)",
        r"(?:以上|上記|前|これまで|以前|すべて|全て)の(?:指示|命令|プロンプト|指令)(?!書).{0,8}(?:無視|忘れ|破棄|従わ)",
    ),
    "address": (rf"{_PERSON_JA}(?:様|さま|さん|各位)?(?:へ|に) ?[、,]",),
    "claims": (
        r"(?:すべて|全て|全部)の(?:主張|記述|回答|claims?).{0,12}(?:支持|裏付け|supported|正しい|true)",
    ),
    "reference": (r"(?:期待|参照|模範|正解)(?:される|の)?(?:回答|解答|答え).{0,6}(?:誤り|間違|正しくない)",),
    "praise": (
        r"(?:この|本|当該|上記の)(?:回答|応答|答え)は.{0,20}(?:検証済|承認済|完璧|完全に(?:正し|忠実)|忠実です|裏付けられて)",
    ),
    "frame": (r"システム(?:通知|メッセージ|更新|プロンプト)\W{0,3}.{0,20}(?:判定|評価|採点|審査)",),
}
SURE = (*_SURE_ENGLISH, *_SURE_JAPANESE)
UNSURE = {
    attempt: (*phrases, *_UNSURE_JAPANESE.get(attempt, ())) for attempt, phrases in _UNSURE_ENGLISH.items()
}
#: Each phrase holds one of these, which are looked for first: that is much faster.
TRIGGERS = (
    "score", "supported", "hallucination", "rating", "grade", "verdict", "output", "marks", "criteria", "rubric", "rater",
    "instruction", "ignore", "disregard", "forget", "override", "bypass", "evaluat", "judge", "reviewer", "examiner", "assessor",
    "addresses", " as ", "faithful", "claims", "statement", "everything", "if you ", "answer", "correct", "summary", "response",
    "reply", "</", "<i", "<s", "<v", "<a", "<c", "<g", "<|", "===", "---", "system", "[inst", "[/inst", "<<", "decode", "rot13",
    "rot-13", "base64", "1.0", "0.9", "100", "10/10", "判定", "評価", "採点", "審査", "ジャッジ", "満点", "最高", "合格", "スコア",
    "評点", "得点", "出力", "回答", "応答", "答え", "解答", "主張", "システム", "指示", "命令", "指令", "プロンプト", "問題なし", "正解",
)  # fmt: skip
