/** Unattributed deposits: what was received, why no customer was found, and how each was resolved. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleSays, consoleUnattributed } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { AccountLink, Link } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { showAge, showAmount, timeText } from "../../pages/shown.ts";
import { bySeq, PAGE_ROWS, usePaged } from "../paged.ts";
import { mayDo } from "../rights.ts";
import { WAITS } from "./waits.ts";

interface UnknownDeposit {
  readonly seq: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  readonly asset: string;
  readonly amount: string;
  readonly reason: string;
  readonly seenMs: number;
  readonly status: string;
  readonly accountId: number | null;
  readonly why: string;
}

const PATH = "/v1/unattributed-deposits";
const SETTLE = "POST /v1/unattributed-deposits/resolve";

const STATUSES = [WAITS, "all"] as const;
const read = bySeq<UnknownDeposit>;

export function UnknownDeposits({ desk }: { desk: Desk }) {
  const asked = desk.place.value.asked["status"];
  const status = STATUSES.find((one) => one === asked) ?? WAITS;
  const query = { status };
  const { rows, denied, next, more } = usePaged(desk, { path: PATH, query: { ...query, limit: PAGE_ROWS }, read });
  return (
    <List
      {...{ desk, rows, denied }}
      title={consoleUnattributed.title}
      name="unattributed-deposits"
      tools={STATUSES.map((one) => (
        <Link
          key={one}
          class={`button ${one === status ? "chosen" : ""}`}
          to={{ page: "deposits", asked: { status: one } }}
        >
          {consoleUnattributed.shown[one]}
        </Link>
      ))}
      more={<MoreRows next={next} more={more} />}
      columns={columnsOf(desk)}
      keyOf={({ network, txId, output }) => `${network} ${txId} ${output}`}
      empty={consoleUnattributed.none}
      whole={{ path: PATH, query }}
    />
  );
}

function columnsOf(desk: Desk): Column<UnknownDeposit>[] {
  return [
    {
      label: consoleUnattributed.age,
      text: ({ seenMs }) => timeText(seenMs),
      show: ({ seenMs }) => showAge(desk, seenMs),
    },
    {
      label: consoleUnattributed.network,
      text: ({ network }) => network,
      show: ({ network }) => <Link to={{ page: "networks", subject: network }}>{network}</Link>,
    },
    {
      label: consoleUnattributed.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount }) => showAmount(amount),
    },
    plain(consoleUnattributed.asset, ({ asset }) => asset),
    plain(consoleUnattributed.reason, ({ reason }) => consoleUnattributed.reasons[reason] ?? reason),
    {
      label: consoleUnattributed.address,
      text: ({ address, tag }) => (tag === "" ? address : `${address} ${tag}`),
      show: ({ address, tag }) => (
        <code class="address" title={address}>
          {address}
          {tag !== "" && ` · ${tag}`}
        </code>
      ),
    },
    {
      label: consoleUnattributed.txId,
      text: ({ txId, output }) => `${txId}:${output}`,
      show: ({ txId, output }) => (
        <code class="address" title={txId}>
          {txId}:{output}
        </code>
      ),
    },
    plain(consoleUnattributed.status, ({ status }) => consoleUnattributed.statuses[status] ?? status),
    {
      label: consoleUnattributed.account,
      text: ({ accountId }) => (accountId === null ? "" : String(accountId)),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    plain(consoleUnattributed.note, ({ why }) => why),
    {
      label: consoleSays.action,
      isActs: true,
      show: (row) =>
        row.status === WAITS &&
        mayDo(desk, SETTLE) && (
          <button
            type="button"
            class="link"
            aria-label={consoleUnattributed.resolveOne(showAmount(row.amount), row.asset)}
            onClick={() => {
              const { network, txId, output, amount, asset, address, reason } = row;
              const known = {
                [consoleUnattributed.amount]: `${showAmount(amount)} ${asset}`,
                [consoleUnattributed.address]: address,
                [consoleUnattributed.reason]: consoleUnattributed.reasons[reason] ?? reason,
              };
              desk.wish.value = { key: SETTLE, given: {}, fixed: { network, txId, output }, known };
            }}
          >
            {consoleUnattributed.resolve}
          </button>
        ),
    },
  ];
}
