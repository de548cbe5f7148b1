"""Phrases that speak to a judge in other languages, without accents on Latin letters.

French, German, Spanish, Portuguese, Italian, Russian, Chinese and Korean.
"""

from collections.abc import Mapping

SURE = (
    # French
    (
        r"\b(?:marque[rz]?|note[rz]?|considere[rz]?|juge[rz]?|evalue[rz]?|classe[rz]?) (?:cette|ma) reponse (?:\w+ ){0,3}"
        r"(?:correcte|juste|parfaite|fidele|exacte|valide)\b"
    ),
    r"\bignor(?:e|ez|er) (?:\w+ ){0,3}(?:instructions? precedentes?|consignes?|criteres?)\b",
    # German
    (
        r"\b(?:bewerten?|markieren?|werten?|beurteilen?|stufen?) (?:sie )?(?:diese|meine) antwort (?:\w+ ){0,4}"
        r"(?:korrekt|richtig|perfekt|wahr|bestanden|belegt)\b"
    ),
    (
        r"\b(?:ignorieren?|vergiss|vergessen|missachten?) (?:sie )?(?:\w+ ){0,3}(?:vorherigen|bisherigen|obigen|fruheren) (?:\w+ )?"
        r"(?:anweisung(?:en)?|kriterien|vorgaben|instruktionen)\b"
    ),
    # Spanish, Portuguese, Italian
    (
        r"\b(?:marc[ae]|marque|califi(?:ca|que)|consider[ae]|evalu[ae]) (?:esta|mi) respuesta (?:\w+ ){0,3}"
        r"(?:correcta|perfecta|valida|verdadera)\b"
    ),
    r"\b(?:ignor[ae]|olvid[ae]) (?:\w+ ){0,3}(?:instrucciones|criterios) (?:anteriores|previas|de evaluacion)",
    r"\b(?:marque|avalie|considere|classifique) (?:esta|minha) resposta (?:\w+ ){0,3}(?:correta|certa|perfeita|valida)\b",
    r"\b(?:ignore|esqueca) (?:\w+ ){0,3}(?:instrucoes|criterios) (?:anteriores|previas|de avaliacao)",
    (
        r"\b(?:segna|valuta|considera|contrassegna|giudica)(?:re|te)? (?:questa|mia) risposta (?:\w+ ){0,3}"
        r"(?:corretta|giusta|perfetta|valida)\b"
    ),
    r"\b(?:ignora|dimentica)(?:re|te)? (?:\w+ ){0,3}(?:istruzioni|criteri) (?:precedenti|di valutazione)",
    # Russian
    r"(?:отметь|отметьте|оцени|оцените|считаи|считаите|засчитаи|засчитаите) (?:этот|данныи|мои) ответ (?:\w+ ){0,3}(?:правильн|верн|корректн)",
    r"(?:игнорируи|игнорируите|забудь|забудьте) (?:\w+ ){0,3}(?:предыдущи|критери|прошл)",
    # Chinese
    (
        r"(?:此|这个|這個|该|該|本|以上|上述|这一|這一)(?:答案|回答|回复|回覆|答复|答覆).{0,10}(?:标记|標記|标为|標為|判定|判为|判為|评为|評為|视为|視為|"
        r"打分|评分|評分|打).{0,6}(?:正确|正確|满分|滿分|通过|通過|忠实|忠實|支持)"
    ),
    r"(?:忽略|无视|無視|忘记|忘記).{0,4}(?:之前|以上|先前|前面|上述|所有|评分|評分|评估|評估).{0,6}(?:指令|指示|说明|說明|提示|标准|標準|规则|規則)",
    r"(?:评分员|評分員|评审|評審|评估者|評估者|裁判)(?:请|請|:|,|注意)",
    # Korean
    r"(?:이|본|해당|위) ?(?:답변|응답|대답)(?:을|를|은|는).{0,12}(?:정답|정확|올바|맞|통과|만점|합격).{0,12}(?:채점|평가|판정|처리|표시|간주)",
    r"(?:이전|위|앞|모든|기존)(?:의)? ?(?:지시|명령|지침|프롬프트|평가 ?기준)(?:사항)?(?:를|을|은|는)? ?.{0,6}(?:무시|잊)",
    r"(?:평가자|채점자|심사자|심사위원)(?:님)?(?:에게|께)? ?[:,]",
)
UNSURE: Mapping[str, tuple[str, ...]] = {
    "value": (
        r"\b(?:note|score) (?:maximale?|parfaite?)\b|\bbestnote\b|\b(?:volle|hochste) (?:punktzahl|bewertung|note)\b",
        r"\b(?:puntuacion|nota|pontuacao) maxima\b|\bpunteggio massimo\b|максимальн\w+ (?:балл|оценк)",
        r"(?:给出?|給出?|打|评|評).{0,4}(?:满分|滿分|最高分)|(?:만점|최고 ?점수)(?:을|를)? ?.{0,6}(?:주|부여)",
    ),
    "ignore": (
        r"\bignor(?:e|ez|er) (?:\w+ ){0,3}instructions?\b|\bignorieren? (?:\w+ ){0,4}anweisung",
        r"\bignora (?:\w+ ){0,3}(?:instrucciones|istruzioni)\b|\bignore (?:\w+ ){0,3}instrucoes\b",
    ),
}
TRIGGERS = (
    "reponse", "antwort", "respuesta", "resposta", "risposta", "ответ", "ignor", "vergiss", "vergess", "missacht", "olvid",
    "esquec", "dimentic", "игнорир", "забудь", "note ", "bestnote", "volle ", "hochste", "maxim", "massimo", "максим",
    "答案", "回复", "回覆", "答复", "答覆", "忽略", "无视", "無視", "忘记", "忘記", "评", "評", "裁判", "满分", "滿分", "最高分",
    "답변", "응답", "대답", "지시", "명령", "지침", "프롬프트", "기준", "평가", "채점", "심사", "만점", "점수",
)  # fmt: skip
