"""Whether an English sentence makes, denies or only mentions a statement: rules, no model.

A negation counts within its clause: before the statement ("we do not offer ...") or as the first verb
after it ("... is not available").
"""

import re

from rag_gate.safety.sentences import Sentence
from rag_gate.safety.verdicts import ASSERTED, Finding, negated, uncertain

_PRONOUN = r"(?:you|we|it|they|i|he|she|there|this|that|these|those|your|our|customers?|orders?|please|all|any|every)"
# Where a new clause starts: what stands on the other side is out of reach of a negation.
_CLAUSE = re.compile(
    r";|(?:\s-+\s)|,?\s(?:but|however|although|though|whereas|while|because|since|yet|so(?!\sfar|on\b))\s"
    rf"|(?:,\s*(?:and|or|so|then)?|\s(?:and|so|then))\s*(?={_PRONOUN}\b)|,?\sand\s(?=(?:get|enjoy|receive|offer|provide|is|are)\b)"
    r"|\s(?=please\s)|^\W*(?:even\s)?(?:if|when|whenever|once|unless|until|as|after|before|where|in|although|though|while|since|because)\b[^,]*,"
)
_CLAUSE_AFTER = re.compile(
    rf"{_CLAUSE.pattern}|\s(?:if|when|whenever|once|unless|until|provided|where|even|in\scase|as\slong\sas)\s"
)
# Words that look like a negation and are none; replaced by a neutral sign before the search.
_IDIOM = re.compile(
    r"(?:\bnot|\b\w+n't)\s(?:only|just|merely|simply|to\smention|a\sproblem|an\sissue|limited\sto|in\sdoubt)\b"
    r"|\b(?:i'm|i\sam|we're|we\sare)\s(?:afraid|sorry)(?:\sto\ssay)?(?:\s(?:that|but))?|\bplease\s(?:note|be\saware)(?:\sthat)?"
    r"|\bno\s(?:doubt|problem|worries|matter\b(?:\s(?:what|how|where|when))?|question|wonder|later\sthan|(?:less|more|fewer)\sthan)\b"
    r"|\bno\sneed\sto\sworry(?:\sabout)?\b|\bnothing\sbut\b|\bwithout\s(?:a\s)?(?:doubt|fail|question|delay|exception)\b"
    r"|(?:\b\w+n't|\b\w+\snot|\bcannot)\s(?:(?:go\s)?wrong|wait|miss|help|forget|hesitate|worry|overlook)\b"
    r"|\b(?:do\s?n[o']t|never|not)\s(?:to\s)?(?:forget|hesitate|fail|worry|miss|overlook)\b"
    r"|\bno,|\bif\snot\b|\bwhether\sor\snot\b"
)
_NOT = (
    r"not|cannot|\w+n't|never|nor|neither|unable\sto|no\slonger|hardly|barely|ineligible\sfor|(?:fails?|failed|refuses?|declines?)\sto"
    r"|impossible|stopped|discontinued|prohibits?|forbids?|lacks?|excludes?|excluding|excluded\sfrom|nobody|no\sone|nothing|none"
)
_BEFORE = re.compile(rf"\b(?:{_NOT})\b")
_OPEN_BETWEEN = re.compile(r"\b(?:until|unless|whether|if|except|other)\b")
_OPEN_AFTER = re.compile(r"\b(?:until|unless)\b")
_COORDINATED = re.compile(
    r"\b(?:not|n't|cannot|never)(?:,?\s(?:and|or|nor)\s)(?:\w+\s)?(?=(?:not|never|cannot|\w+n't)\b)"
)
_SMALL = r"(?:\s(?:an?|any|the|our|such(?:\sthing\sas)?|your|of|as|for|with|free|full|\w+ly|currently))*"
_HOSTED = (
    r"(?:way|need|option|possibility|guarantee|plans?|policy|provision|support|reason|obligation|offer|chance|right"
    r"|entitlement|circumstances?|means|intention|promise|longer|such|requirement|case|method|point|use|evidence|mention|sign)"
)
_NO = re.compile(rf"\bno\b(?:\s\w+)?{_SMALL}\s?$|\bno\s(?:\w+\s)?{_HOSTED}\b")
_HOST = re.compile(rf"\b(?!need){_HOSTED}\b")
_ANY_NO = re.compile(r"\b(?:no|without)\b")
_INSTEAD = re.compile(
    r"\b(?:without|instead\sof|rather\sthan|other\sthan|except(?:\sfor)?|as\sopposed\sto|far\sfrom|anything\sbut)"
    r"(?:\s(?:as|an?|any|the|our|your|\w+ing(?:\sto)?|with|by|via|\w+ly))*\s?$"
)
# Verbs whose negation leaves the statement standing: "you will not lose ...", "... cannot be combined with".
_KEEPING = (
    r"(?:charg|cancel|delay|los[ei]|lost|affect|chang|remov|limit|restrict|revok|forfeit|waiv|pay|den[yi]|refus|doubt|exclud"
    r"|block|prevent|interrupt|combin|transfer|exchang|revers|stack|expir|cover|cost|requir|need|tak|depend|include(?!d)|subject)\w*"
)
_KEEPS_BEFORE = re.compile(
    rf"\b(?!need|requir|include|tak){_KEEPING}|\b(?:need|require|have|take)\w*\s(?:\w+\s)+(?:for|to\s(?:get|receive|enjoy|use))\b"
)
_KEEPS_AFTER = re.compile(rf"\s(?:be\s|been\s|\w+ly\s)?{_KEEPING}")
# "does not apply" denies its subject; "does not cover water damage" does not.
_ACTING = re.compile(r"(?:do|does|did|can|could|will|would|should|may|might|must|wo)(?:n't|not)?|can't")
_HAPPENS = re.compile(
    r"(?:\s(?:\w+ly|always))*(?:\s(?:be|been|apply|exist|come|happen|count|qualify|work|become|occur|take\splace)\b|\s?$)"
)
_MENTION = re.compile(
    r"\b(?:asked|asking|asks|wonder\w*|inquir\w*|enquir\w*|questions?\s(?:about|on|regarding|whether)|you\s(?:mentioned|want|wanted|requested)"
    r"|your\s(?:request|question)|looking\sfor|hop(?:ed|ing)\sfor|regarding|as\sfor|with\sregard|myth|rumou?r|false|untrue|incorrect|mistaken|wrong"
    r"|whether|would\shave|the\s(?:term|phrase|word))\b"
)
#: Denials of a doubt or a reason against it: "no reason why ... would not", "cannot rule out".
_NO_REASON = re.compile(r"\bno\s(?:good\s)?reason\b")
_DOUBLE = re.compile(
    r"\b(?:(?:not|cannot|n't|never|nobody)\s(?:\w+\s)?(?:rules?\sout|excludes?|den(?:y|ies)|disputes?|doubts?|contradicts?|say\s(?:that\s)?no)"
    r"|(?:not|n't)\s(?:impossible|unusual|uncommon|untrue|incorrect|wrong|unlikely|excluded))\b"
)
_COUNTERFACTUAL = re.compile(r"\bif\b.*\b(?:would|were)\b|\b(?:would|were)\b.*\bif\b")
_VERB = re.compile(
    rf"\b(?:{_PRONOUN[3:-1]}|get|gets|offers?|provides?|gives?|receives?|have|has|had|is|are|was|were|will|can|may|qualify|qualifies|enjoys?"
    r"|includes?|do|does|did|contact|yes|claim|applies|apply)\b"
)
_RESTART = re.compile(r"\b(?:that|because|since|and|but|so|which|means)\s|,\s")
_FIRST_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|may|might|must|applies|apply|remains?|isn't|aren't|wasn't"
    r"|weren't|hasn't|haven't|doesn't|don't|didn't|can't|cannot|couldn't|won't|wouldn't|shouldn't|ends|ended|comes?|costs?|takes?|includes?)\b"
)
_DENIED_AFTER = re.compile(
    r"(?:n't|cannot|ended)\b|(?:\s(?:\w+ly|now|still|yet|also|been|be|always|become))*\s?"
    r"(?:not\b|never\b|no\slonger\b|neither\b|unavailable|impossible|excluded|discontinued|prohibited|suspended|forbidden|out\sof\sthe\squestion"
    r"|unsupported|over\b|ineligible|cancell?ed|withdrawn|ended\b|abolished|paused|a\smyth|false|wrong|incorrect|untrue)"
)
_NAMED = re.compile(
    r"\s(?:is|are|was|were)\s(?:just\s|only\s)?(?:an?|the)\s(?:term|phrase|word|myth|rumou?r|misconception|mistake|claim)\b"
)
_LABEL = re.compile(
    r"\s*[:|(=-]+\s*(?:not?\b|never\b|none\b|n/a\b|un\w+able\b|excluded\b|discontinued\b|×|✗|✕|❌)"
)
_RELATIVE = re.compile(
    r",?\s(?:which|that)\s(?=(?:is|are|was|were|has|have|do|does|can|could|will|would)\b|\w+n't|cannot)"
)


def judge_english(sentence: Sentence) -> Finding:
    """Return the status of one occurrence in an English sentence.

    Uncertain: a question, a mention ("you asked about"), a counterfactual ("if you were ..."), two negations, or a
    negation that may belong to something else.
    """
    if "?" in sentence.mark:
        return uncertain("question")
    before = _masked(sentence.before)
    after = _masked(sentence.after)
    clause = _last_clause(before)
    mention = _MENTION.search(clause)
    if mention:
        return uncertain(mention.group())
    if _COUNTERFACTUAL.search(before + sentence.match + after):
        return uncertain("conditional")
    if _DOUBLE.search(before) or (_NO_REASON.search(before) and _BEFORE.search(after)):
        return uncertain("double negation")
    return _before(clause, after) or _after(clause, after) or ASSERTED


def _masked(text: str) -> str:
    spaced = re.sub(r"\s", " ", text)
    return _COORDINATED.sub("", _IDIOM.sub("~", spaced))


def _last_clause(text: str) -> str:
    end = 0
    for border in _CLAUSE.finditer(text + " "):
        end = border.end()
    return text[end:]


def _first_clause(text: str) -> str:
    border = _CLAUSE_AFTER.search(text)
    return text[: border.start()] if border else text


def _before(clause: str, after: str) -> Finding | None:
    """Return what a negation before the statement in its clause means, None if there is none."""
    negations = list(_BEFORE.finditer(clause))
    no = _NO.search(clause)
    instead = _INSTEAD.search(clause)
    if _count(negations, no) > 1:
        return uncertain("double negation")
    found = no or instead or (negations[0] if negations else None)
    if found is None:
        other = _ANY_NO.search(clause)
        return uncertain(other.group()) if other and "," not in clause[other.end() :] else None
    between = clause[found.end() :]
    if found is not instead and (
        _is_far(between) or _OPEN_BETWEEN.search(between) or _OPEN_AFTER.search(after)
    ):
        return uncertain(found.group())
    if found not in (no, instead) and _KEEPS_BEFORE.search(between) and not _HOST.search(between):
        return uncertain("negation of something else")
    return negated(found.group())


def _count(negations: list[re.Match[str]], no: re.Match[str] | None) -> int:
    """Count independent negations: "neither ... nor" and "not ... nor" are one."""
    starts = {found.start() for found in negations if found.group() != "nor"}
    return len(starts | ({no.start()} if no else set())) or len(negations)


def _is_far(between: str) -> bool:
    """Tell whether a colon, or a comma without a list, stands between a negation and the statement."""
    return ":" in between or ("," in between and not re.search(r"\b(?:or|nor)\b", between))


def _after(clause: str, after: str) -> Finding | None:
    """Return what a negation after the statement means, None if the statement stands."""
    label = _LABEL.match(after)
    if label:
        return negated(label.group().strip())
    if _NAMED.match(after):
        return uncertain("named, not claimed")
    tail = _first_clause(after)
    subject = clause
    for restart in _RESTART.finditer(clause):
        subject = clause[restart.end() :]
    is_object = _VERB.search(subject) and not _RELATIVE.match(tail)
    return None if is_object else _first_verb(tail)


def _first_verb(tail: str) -> Finding | None:
    """Return what the first verb after a statement that is its subject says, None if it affirms."""
    verb = _FIRST_VERB.search(tail)
    if verb is None:
        return None
    contracted = len("n't") if verb.group().endswith("n't") else 0
    denied = _DENIED_AFTER.match(tail, verb.end() - contracted)
    if verb.group() in ("cannot", "ended", "ends"):
        denied = verb
    if denied is None:
        return None
    is_action = _ACTING.fullmatch(verb.group()) and not _HAPPENS.match(tail, denied.end())
    if is_action or _KEEPS_AFTER.match(tail, denied.end()):
        return uncertain("negation of something else")
    return negated(tail[verb.start() : denied.end()])
