#!/bin/sh
# Hold a session over HTTP: what is typed is said, a choice is answered by its label. The key makes a request that was
# sent twice count once; `after` says what had been seen when a line was typed.
set -eu
api=${HEARTRULE:-http://127.0.0.1:8000}/api/v1
script=${1:-cbt/abc_intro}
token=

ask() { # METHOD PATH [BODY]; a problem goes to stderr as it came
  answer=$(curl -sS --fail-with-body -X "$1" "$api$2" -H 'Content-Type: application/json' \
    ${token:+-H "Authorization: Bearer $token"} ${3:+--data "$3"}) || { printf '%s\n' "$answer" >&2; exit 1; }
  printf '%s' "$answer"
}
pick() { printf '%s' "$1" | python3 -c "import json, sys; answer = json.load(sys.stdin); $2"; }

made=$(ask POST /sessions "{\"script\": \"$script\"}")
id=$(pick "$made" 'print(answer["session"]["id"])')
token=$(pick "$made" 'print(answer["token"])')

number=0
turn=$(ask POST "/sessions/$id/turns" '{"key": "start-0001", "input": {"type": "start"}}')
while true; do
  pick "$turn" 'print("\n".join(m["content"] for m in answer["messages"] if m["sender"] == "ai"))'
  [ "$(pick "$turn" 'print(answer["execution_status"])')" != waiting_input ] && break
  pick "$turn" '[print("[" + c["label"] + "]") for c in answer["request"]["choices"]]'
  IFS= read -r line || break
  number=$((number + 1))
  seen=$(pick "$(ask GET "/sessions/$id")" 'print(answer["last_message"])')
  turn=$(ask POST "/sessions/$id/turns" "$(LINE=$line python3 -c "import json, os; print(json.dumps({
    'key': 'line-%06d' % $number, 'after': $seen, 'input': {'type': 'message', 'text': os.environ['LINE']}}))")")
done
