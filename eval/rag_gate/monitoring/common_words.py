"""The commonest words of languages in Latin script, and letters that only a few of them have."""

import re
import struct
from collections import Counter
from math import lcm

_WORDS = {
    "en": (
        "the of and to in is that it for you your was on are with as at be this have from or by not but what all were "
        "we when can an there their which will how if out up about them these so some her would into has more no our "
        "could been than who its my may might should must any does do did please yes they where within after before "
        "only also cannot don i over each every per day days free"
    ),
    "de": (
        "der die das und ist in den von zu mit sich des auf für nicht im dem eine ein es an auch als wie nach bei aus "
        "wird sind oder einen einer kann können wenn werden hat haben bitte ich sie wir ihr ihre uns ja nein keine "
        "dass zur zum über vor nur noch ab innerhalb sich ihren dazu"
    ),
    "fr": (
        "le la les de des du un une et est en que qui dans pour pas sur au aux avec ne ce cette ces par plus vous nous "
        "votre vos il elle sont être ou se oui non mais je ai cela peut sans son sa ses si leur dans c à "
        "où très avez pouvez veuillez"
    ),
    "es": (
        "el la los las de del un una y es en que por para con no se su sus al lo como más pero o este esta esto son "
        "puede está si sí desde hasta cuando hay muy sobre también usted nuestro le ha he a esa ese página"
    ),
    "it": (
        "il lo la i gli le di del della dei delle un una e è in che per non con si sono da dal dalla al alla nel nella "
        "come più ma o anche questo questa può possono suo sua ha ho se entro ci"
    ),
    "pt": (
        "o a os as de do da dos das um uma e é em no na nos nas que por para com não se ao à pelo pela como mais mas ou "
        "foi são está você sua seu ser tem pode podem este esta isso essa esse"
    ),
    "nl": (
        "de het een en van in is dat op te zijn met voor niet aan er om ook als maar bij of uit kan kunnen worden wordt "
        "door naar deze dit u uw ik wij we geen dan nog over vanaf binnen staat dekt heeft hebben"
    ),
    "sv": "och att det som en på är av för med den till inte om ett har de kan från eller du vi din inom ska vid",
    "da": "og at det som en på er af for med den til ikke om et har de kan fra eller du vi din inden skal ved",
    "pl": "i w na z do się jest nie to że o jak po za od przez dla są może oraz ale lub proszę ten który czy",
    "tr": "ve bir bu için ile da de olarak daha en gibi var değil veya ama çok ne kadar sonra olan içinde lütfen",
    "id": "dan yang di ini itu dengan untuk tidak dari dalam akan pada juga ke karena bisa dapat anda kami atau adalah",
    "vi": "và của là có không cho các được một với trong này bạn để khi người những trên thể về tôi",
}  # fmt: skip
_SHARED = Counter(word for words in _WORDS.values() for word in set(words.split()))
LANGUAGES = tuple(_WORDS)
#: Points of a word that only one language has; a word of several gives each its share.
WHOLE = lcm(*set(_SHARED.values()))
#: Word in lower case -> its points: one number with a field of 32 bits for each of the languages, so that the points of a whole
#: text are the sum of those of its words.
POINTS: dict[str, int] = {}
for _field, _listed in enumerate(_WORDS.values()):
    for _word in set(_listed.split()):
        POINTS[_word] = POINTS.get(_word, 0) + (WHOLE // _SHARED[_word] << 32 * _field)
#: The same, of words as bytes.
ASCII_POINTS = {_word.encode(): _points for _word, _points in POINTS.items() if _word.isascii()}
_FIELDS = struct.Struct(f"<{len(LANGUAGES)}I")


def by_language(points: int) -> list[int]:
    """Return the points of each of the languages."""
    return list(_FIELDS.unpack(points.to_bytes(_FIELDS.size, "little")))


#: Any letter that is not plain Latin.
ACCENTED = re.compile("[\u00df-\u024f\u1e00-\u1eff]|[¿¡]")
#: Number of a language -> letters that speak for it.
LETTERS = tuple(
    (LANGUAGES.index(language), re.compile(f"[{letters}]"))
    for language, letters in (
        ("de", "ßäöü"),
        ("fr", "çœêèàù"),
        ("es", "ñ¿¡"),
        ("it", "òì"),
        ("pt", "ãõ"),
        ("sv", "åäö"),
        ("da", "æøå"),
        ("pl", "łąęśżźćń"),
        ("tr", "ğışç"),
        ("vi", "ơưđ\u1ea0-\u1ef9"),
    )
)
