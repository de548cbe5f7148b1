"""Sentences about a pull request and its workflow, English pattern -> Japanese."""

from collections.abc import Mapping
from types import MappingProxyType

ABOUT_PULLS: Mapping[str, str] = MappingProxyType(
    {
        "the numbers come from a run of this pull request's own code and are its claims; rag-gate judged them by the base commit's "
        "rules": "数値は、このプルリクエスト自身のコードによる実行からの自己申告です。rag-gate はベースコミットのルールで判定しました",
        "The judge did not run, since the pull request's own run has no secret: answers were not judged. Retrieval and safety were "
        "checked. This is neutral by policy (on-missing-secret), not a pass.": "プルリクエスト自身の実行にはシークレットがないため判定器は"
        "動いておらず、回答は判定していません。検索と安全性は確認しました。設定（on-missing-secret）により中立とします。合格ではありません。",
        "No secret ({name}): the judge did not run, so answers were not judged. Retrieval and safety were checked. This is neutral by "
        "policy (on-missing-secret), not a pass.": "シークレット（{name}）がないため判定器は動いておらず、回答は判定していません。検索と"
        "安全性は確認しました。設定（on-missing-secret）により中立とします。合格ではありません。",
        "No secret ({name}), so nothing was measured": "シークレット（{name}）がないため、何も測定していません",
        "No secret ({name}); set the secret, or switch the judge off in the settings": "シークレット（{name}）がありません。設定するか、"
        "設定ファイルで判定器を無効にしてください",
        "This pull request brings the gate itself: there was nothing on its base to be compared with.": "このプルリクエストでゲート自体が"
        "追加されるため、ベース側に比較対象がありません。",
        "The check does not fail: on-error is neutral. This is no pass, nothing was compared.": "on-error が neutral のため、チェックは失敗に"
        "なりません。何も比較していないので、合格ではありません。",
        "The check does not fail: fail-on is never.": "fail-on が never のため、チェックは失敗になりません。",
        "Nothing was measured.": "何も測定していません。",
        "This pull request changes the baseline and nothing else, and this run is not worse than the new one, so the check does not "
        "fail; whoever approves it approves the change above. Its reason: {reason}": "このプルリクエストはベースラインだけを変更し、今回の"
        "結果は新しいベースラインより悪くないため、チェックは失敗になりません。承認すると上の変化を受け入れることになります。変更の理由："
        "{reason}",
        "the base commit has no {name}: this pull request brings the gate, so its own files decide this once": "ベースコミットに {name} が"
        "ありません。このプルリクエストでゲートが追加されるため、今回だけはその中のファイルで判定します",
        "this pull request removes {name}; the base commit's decides": "このプルリクエストは {name} を削除します。判定にはベースコミットの"
        "ものを使います",
        "the base commit has no baseline yet, so nothing is compared; promote one on its branch": "ベースコミットにまだベースラインがないため、"
        "比較していません。そのブランチで登録してください",
        "{ids:ids} [is|are] changed by this pull request: the base commit's [version decides|versions decide] here, the change counts "
        "after the merge": "このプルリクエストは {ids} を変更します。ここではベースコミットの内容で判定し、変更はマージ後に有効になります",
        "{n:cases} edited by this pull request: the base commit's labels decide ({ids:ids})": "このプルリクエストで{n}件が変更されました。"
        "判定にはベースコミットの正解を使います（{ids}）",
        "{n:cases} removed by this pull request: they still count, unless the base commit's gate.removed_ok names them ({ids:ids})": "この"
        "プルリクエストで{n}件が削除されました。ベースコミットの gate.removed_ok に指定がない限り、判定の対象です（{ids}）",
        "{n:cases} removed, as the base commit's gate.removed_ok allows": "{n}件が削除されました（ベースコミットの gate.removed_ok で許可済み）",
        "{n:number} new [case does|cases do] not gate before the merge; the run does not hold them ({ids:ids})": "新しい{n}件は、マージ"
        "されるまで合否に影響しません。実行結果には含まれていません（{ids}）",
        "{n:number} new [case does|cases do] not gate before the merge: {statuses} ({ids:ids})": "新しい{n}件は、マージされるまで合否に"
        "影響しません。内訳：{statuses}（{ids}）",
        "{n:number} new [case does|cases do] not gate before the merge: {statuses}": "新しい{n}件は、マージされるまで合否に影響しません。"
        "内訳：{statuses}",
        "internal error: no verdict; please report the lines in the log of the run": "内部エラーのため判定がありません。実行ログの該当行を"
        "報告してください",
    }
)
