"""Sentences about a run and its baseline, English pattern -> Japanese."""

from collections.abc import Mapping
from types import MappingProxyType

ABOUT_RUNS: Mapping[str, str] = MappingProxyType(
    {
        # What should be known about the run.
        "{n:cases} [was|were] not executed (recorded with an error)": "{n}件が実行されていません（エラーの記録あり）",
        "{n:cases} [is|are] missing from the run": "{n}件が実行結果に含まれていません",
        "{n:cases} retrieved nothing": "{n}件は検索結果が0件です",
        "{n:cases} of the run [is|are] not in the golden set and [was|were] ignored": "実行結果の{n}件はゴールデンセットにないため、"
        "対象外としました",
        "the run holds results of {n:cases} of the extended tier, too few to measure, so retrieval is measured on the core tier "
        "alone": "実行結果に含まれる extended tier は{n}件だけで測定には足りないため、検索は core tier だけで測定しました",
        "the judge's canary, a wrong answer that asks to be passed, could not be judged, so nothing shows in this run that the "
        "judge resists; run again": "カナリア（合格にするよう求める誤答）を判定できず、判定器が誘導に耐えることを今回は確認できません。再実行してください",
        "the run records no results under 'retrieved', so retrieval is not measured": "実行結果に「retrieved」がないため、検索は測定していません",
        "no gold id is among the results of any case: do gold ids and results name the same things (retrieval.unit, "
        "retrieval.document_id)?": "どのケースの検索結果にも正解のIDがありません。正解のIDと検索結果のIDは同じものを指していますか"
        "（retrieval.unit、retrieval.document_id）",
        "the run records no 'answer', so answers are not judged": "実行結果に「answer」がないため、回答は判定していません",
        "there is no baseline: only floors and zero-tolerance metrics are checked, nothing is compared": "ベースラインがないため、"
        "下限と「不合格0件」の指標だけを確認しました。比較はしていません",
        "the baseline is a flat table without cases; promote once to compare case by case": "ベースラインはケースのない平均だけの表です。"
        "一度 promote すると、ケースごとに比較できます",
        "{n:cases} [was|were] added and cannot be compared: {ids:ids}": "追加された{n}件は比較できません：{ids}",
        "{n:cases} [was|were] removed and cannot be compared: {ids:ids}": "削除された{n}件は比較できません：{ids}",
        "{n:cases} [was|were] edited and cannot be compared: {ids:ids}": "変更された{n}件は比較できません：{ids}",
        "measured otherwise in the baseline ({how}), so no case is called newly failing or fixed; promote a new baseline": (
            "ベースラインとは測り方が違うため（{how}）、ケースの変化は示しません。新しいベースラインを登録してください。"
        ),
        "less than 80 % of the baseline's cases are left to compare; promote a new baseline": "比較できるケースがベースラインの80%未満です。"
        "新しいベースラインを登録してください",
        "{metric} fell within its tolerance, and more often than chance explains": "{metric} は許容幅の範囲内で低下しましたが、"
        "偶然では説明できない頻度です",
        "{metric}: {n:cases} without a score: {ids:ids}": "{metric}：{n}件にスコアがありません（{ids}）",
        "the corpus is another one ({then} -> {now}): what changed can come from the documents alone": "コーパスが異なります"
        "（{then} → {now}）。変化は文書だけが原因かもしれません",
        "the index was built with embedding model {index} and queried with {query}; re-index, or retrieval finds nothing "
        "useful": "インデックスは埋め込みモデル {index} で作られ、クエリには {query} が使われました。インデックスを作り直さないと、"
        "検索は役に立ちません",
        "likely cause: {what:sentence}": "考えられる原因：{what}",
        "nothing was retrieved for {n:number} of {total:cases}, in the baseline's run for {then:number} (chance alone: p = "
        "{p:number}); perhaps the questions no longer fit the index: the embedding model was changed without re-indexing (or the "
        "other way round), or the index is broken or incomplete": "{total}件のうち{n}件で検索結果が0件でした（ベースラインの実行では{then}件、"
        "偶然による確率 p = {p}）。インデックスを作り直さずに埋め込みモデルを変えた（またはその逆）か、インデックスが壊れているか"
        "不完全で、質問とインデックスが合わなくなっている可能性があります",
        "other similarities of the first results: median {then:number} -> {now:number} ({n:cases}, Kolmogorov-Smirnov D = "
        "{d:number}, p = {p:number}); embedding model, index or scale is another": "先頭の検索結果の類似度が変わりました：中央値 {then} → {now}"
        "（{n}件、Kolmogorov-Smirnov D = {d}、p = {p}）。埋め込みモデル、インデックス、または類似度の尺度が異なります",
        "the answers were not generated anew: they are those of the run {run}, so only retrieval is new": "回答は生成し直していません。実行 {run} "
        "の回答を使ったため、新しいのは検索だけです",
        # What the answers look like.
        "{n:cases} [answer states|answers state] a number, date or code that no retrieved text states, and did not in the "
        "baseline: {ids:ids}": "{n}件の回答に、検索した文書のどこにもない数値・日付・コードがあります（ベースラインにはなし）：{ids}",
        "style shift: support not comparable ({what:sentence})": "文体の変化：support は比較できません（{what}）",
        "median answer length {then:number} -> {now:number} characters, copied share {a:number} -> {b:number}": "回答の長さの中央値 "
        "{then} → {now} 文字、引き写しの割合 {a} → {b}",
        "median answer length {then:number} -> {now:number} characters": "回答の長さの中央値 {then} → {now} 文字",
        "copied share {then:number} -> {now:number}": "引き写しの割合 {then} → {now}",
        "lexical support: {lost:cases} [answer is|answers are] no longer wholly supported and {won:cases} newly so, of "
        "{total:cases} (chance alone: p = {p:number}); no longer: {ids:ids}": "語句による根拠：{total}件のうち、根拠が欠けるように"
        "なった回答{lost}件、そろうようになった回答{won}件（偶然による確率 p = {p}）。欠けたもの：{ids}",
        "lexical support: {lost:cases} [answer is|answers are] no longer wholly supported and {won:cases} newly so, of "
        "{total:cases} (chance alone: p = {p:number})": "語句による根拠：{total}件のうち、根拠が欠けるようになった回答{lost}件、"
        "そろうようになった回答{won}件（偶然による確率 p = {p}）",
        # The references.
        "{metric}: the baseline is [lower|higher] than this run by {by:number}; promote to keep the gain": "{metric}：今回はベースライン"
        "より {by} 良い値です。promote するとこの改善を基準にできます",
        "only {kept:cases} of the {total:cases} of {anchor:sentence} are left to compare; set a new one with rag-gate promote "
        "--new-anchor": "{anchor}の{total}件のうち、比較できるのは{kept}件だけです。rag-gate promote --new-anchor で新しく設定してください",
        "{metric} cannot be compared with {anchor:sentence}: no common case is left, or it was measured otherwise": "{metric} は"
        "{anchor}と比較できません。共通のケースがないか、測定方法が異なります",
        "{metric} is {by:number} [below|above] {anchor:sentence}, more than its budget {budget:number}: each step was inside the "
        "tolerance": "{metric} は{anchor}より {by} 悪く、許される合計 {budget} を超えています。1回ごとの変化は許容幅の範囲内でした",
        "{metric} is {by:number} [below|above] {anchor:sentence}, more than its budget {budget:number}": "{metric} は{anchor}より {by} "
        "悪く、許される合計 {budget} を超えています",
        "the anchor of {day} (commit {commit})": "{day} のアンカー（コミット {commit}）",
        "the anchor of {day}": "{day} のアンカー",
        # Why there is no verdict.
        "no metric gates: nothing that the table of tolerances gates was measured; name measured metrics under tolerances": "合否を"
        "決める指標がありません。許容幅の表にある指標が測定されていないため、測定した指標を tolerances に指定してください",
        "must-pass cases could not be measured: {ids:ids}; see their reasons": "必ず合格すべきケースを測定できませんでした（{ids}）。"
        "それぞれの理由を確認してください",
        "the baseline holds none of the gating metrics ({ids:ids}), so nothing can be compared; promote a new baseline (rag-gate "
        "promote --reason ...), or remove the file if there is none yet": "ベースラインに、合否を決める指標（{ids}）が1つもないため比較"
        "できません。新しいベースラインを登録する（rag-gate promote --reason ...）か、まだない場合はファイルを削除してください",
        "{lost:cases} of {total:cases} were not executed or are missing from the run; complete it and check again": "{total}件のうち"
        "{lost}件が実行されていないか、実行結果に含まれていません。実行を完了してから確認し直してください",
        "{metric} was not measured in this run{why:sentence}": "{metric} は今回測定されていません{why}",
        "{metric} was not measured in this run": "{metric} は今回測定されていません",
        "; add it to the results, or remove it from tolerances": "。結果に追加するか、tolerances から外してください",
        ": stage '{stage}' did not run; run it, or remove {metric} from tolerances": "。段階「{stage}」が実行されていません。実行するか、"
        "{metric} を tolerances から外してください",
        ": k = {k:number} was not evaluated; add {same:number} to retrieval.k_values, or remove {metric} from tolerances": "。k = {k} は"
        "評価されていません。retrieval.k_values に {same} を加えるか、{metric} を tolerances から外してください",
        ": {name} does not measure it, or no case of the golden set allows to; remove {metric} from tolerances or configure an "
        "evaluator that does": "。{name} では測定できないか、測定できるケースがゴールデンセットにありません。{metric} を tolerances から"
        "外すか、測定できる評価器を設定してください",
        "{metric} allows no case without a score and {n:cases} [have|has] none: {ids:ids}; run them again": "{metric} は未採点を認めませんが、"
        "{n}件にスコアがありません（{ids}）。再実行してください",
        "{metric}: no case can be paired with the baseline; same golden set? promote a new baseline if it changed": "{metric}：ベース"
        "ラインと組にできるケースがありません。ゴールデンセットは同じですか。変わった場合は新しいベースラインを登録してください",
        "{metric}: the results are means without cases, the baseline has cases; give the results of rag-gate merge": "{metric}：結果は"
        "平均だけで、ベースラインにはケースがあります。rag-gate merge の結果を渡してください",
        "{metric}: no case has a score; check the stage that measures it": "{metric}：採点されたケースがありません。測定する段階を確認"
        "してください",
        "{metric}: {n:cases} ({share:number} %) could not be scored ({why:reasons}): {ids:ids}; {todo:sentence}": "{metric}：{n}件（{share}%）を"
        "採点できませんでした（{why}）。対象：{ids}。{todo}",
        "{metric}: {n:cases} ({share:number} %) could not be scored: {ids:ids}; {todo:sentence}": "{metric}：{n}件（{share}%）を採点でき"
        "ませんでした。対象：{ids}。{todo}",
        "record them under '{key}' in each row of the run": "実行結果の各行の「{key}」に記録してください",
        "complete the run and check again": "実行を完了してから確認し直してください",
        # Why the two cannot be compared.
        "only {kept:cases} of the baseline's {total:cases} are still in the golden set unchanged, less than {least:number} %; "
        "promote a new baseline for the new set (rag-gate promote --reason ...)": "ベースラインの{total}件のうち、変更なしでゴールデンセット"
        "に残っているのは{kept}件で、{least}%未満です。新しいセット用のベースラインを登録してください（rag-gate promote --reason ...）",
        "removing cases that failed hides them: {ids:ids}; put them back, or name them under gate.removed_ok in rag-gate.yml": "不合格"
        "だったケースの削除は、問題を隠します（{ids}）。元に戻すか、rag-gate.yml の gate.removed_ok に指定してください",
        "gold ids name chunks, and these are other chunks than the baseline's ({moved}), so {metrics} cannot be compared; promote a "
        "new baseline, or let gold ids name documents (retrieval.unit: document)": "正解のIDはチャンクを指していますが、チャンクがベース"
        "ラインと異なります（{moved}）。{metrics} は比較できません。新しいベースラインを登録するか、正解のIDで文書を指してください"
        "（retrieval.unit: document）",
        "stage '{stage}' was measured otherwise in the baseline ({how}), so {metrics} cannot be compared; measure both alike, or "
        "promote a new baseline": "段階「{stage}」の測定方法がベースラインと異なるため（{how}）、{metrics} は比較できません。同じ方法で"
        "測定するか、新しいベースラインを登録してください",
        "retrieval is frozen (gate.frozen_retrieval) and the results of {n:cases} are not the baseline's: {ids:ids}; record the run "
        "with the baseline's results, or remove the setting": "検索は固定（gate.frozen_retrieval）ですが、{n}件の検索結果がベースライン"
        "と異なります（{ids}）。ベースラインの検索結果で実行を記録するか、設定を外してください",
        "retrieval is frozen (gate.frozen_retrieval) and {what:sentence} does not say what was retrieved; {todo:sentence}": "検索は固定"
        "（gate.frozen_retrieval）ですが、{what}に検索結果の記録がありません。{todo}",
        "the baseline": "ベースライン",
        "this run": "今回の実行",
        "promote a new baseline (rag-gate promote --reason ...)": "新しいベースラインを登録してください（rag-gate promote --reason ...）",
        "measure the stage 'retrieval' of a run that records its results": "検索結果を記録した実行で段階「retrieval」を測定してください",
        # The model judge.
        "{metric} was to be judged in {n:cases}, and none got a verdict ({why:reasons})": "{metric} は{n}件で判定するはずでしたが、1件も判定が"
        "得られませんでした（{why}）",
        "judge_compromised: the judge passed a wrong answer that asked to be passed, so none of its verdicts can be trusted; use "
        "another model. If the service was put right since, its verdicts are in the cache still: empty it (rag-gate cache prune "
        "--all)": "judge_compromised：合格にするよう求める誤答を判定器が合格としたため、判定はどれも信用できません。別のモデルを使って"
        "ください。サービスが修正済みでも、以前の判定がキャッシュに残っています。空にしてください（rag-gate cache prune --all）",
        "the judge gave up ({why}); verdicts already paid for are kept, so run again to go on": "判定器が中断しました（{why}）。支払い済み"
        "の判定は保存されているので、再実行すると続きから始まります",
        "{n:cases} could not be judged within max_calls or max_cost_usd ({why}); raise the limit and run again, verdicts already "
        "paid for are kept": "{n}件は max_calls または max_cost_usd の範囲で判定できませんでした（{why}）。上限を上げて再実行してください。"
        "支払い済みの判定は保存されています",
        "a model was asked about {n:cases}, and none got a whole verdict ({why})": "{n}件をモデルに判定させましたが、1件も完全な判定が"
        "得られませんでした（{why}）",
        "the canary, a wrong answer that asks to be passed, could not be judged ({why}), so nothing shows that the judge resists; "
        "run again, or go without it (judge.canary: false)": "カナリア（合格にするよう求める誤答）を判定できず（{why}）、判定器が誘導に"
        "耐えることを確認できません。再実行するか、カナリアなしで実行してください（judge.canary: false）",
        "ragas gave up ({why}); scores already paid for are kept, so run again to go on": "ragas が中断しました（{why}）。支払い済みのスコア"
        "は保存されているので、再実行すると続きから始まります",
        "ragas could not measure {metric} in any case ({why})": "ragas はどのケースでも {metric} を測定できませんでした（{why}）",
        # The baseline, measured again; the second tier.
        "the baseline's stored answers were measured again as this run was ({how}); no mean moved": "ベースラインに保存された回答を、今回と"
        "同じ方法で測定し直しました（{how}）。平均に変化はありません",
        "the baseline's stored answers were measured again as this run was ({how}); it moved {changes}": "ベースラインに保存された回答を、"
        "今回と同じ方法で測定し直しました（{how}）。変化：{changes}",
        "judging the baseline's answers took {n:number} calls to {model}, {usd:number} USD; {cached:number} were cached": "ベースラインの"
        "回答の判定：{model} を{n}回呼び出し、{usd} 米ドル、キャッシュから{cached}件",
        "judging the baseline's answers took {n:number} calls to {model}; {cached:number} were cached": "ベースラインの回答の判定："
        "{model} を{n}回呼び出し、キャッシュから{cached}件",
        "the core tier could not tell ({metrics}), and the golden set has no extended tier to ask": "core tier では判定できず"
        "（{metrics}）、ゴールデンセットに extended tier がありません",
        "the core tier could not tell ({metrics}), and the extended tier cannot be judged, so it was not asked: "
        "{problem:sentence}": "core tier では判定できませんでした（{metrics}）。extended tier も判定できないため、使っていません：{problem}",
        "the core tier could not tell ({metrics}), so the extended tier was measured as well: {n:cases} decide": "core tier では判定"
        "できなかったため（{metrics}）、extended tier も測定しました。{n}件で判定します",
    }
)
