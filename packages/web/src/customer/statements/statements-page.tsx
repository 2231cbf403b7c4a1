/** Every movement of a month, with what stood before it and after it. */
import { useSignal } from "@preact/signals";
import { saveBlob } from "../../pages/save-blob.ts";
import { deniedOf } from "../../pages/denied.ts";
import { add, compare, decimal, formatDecimal, NONE, subtract } from "../../exact/decimal.ts";
import { customerSays, customerStatements as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { columnsOf } from "../draw/columns.ts";
import { Field } from "../draw/form.tsx";
import { List } from "../draw/list.tsx";

interface Posting {
  readonly id: string | number;
  readonly timeMs: number;
  readonly asset: string;
  readonly bucket: string;
  readonly amount: string;
  readonly reason: string;
  readonly balanceAfter: string;
}
interface AssetSum {
  readonly asset: string;
  readonly opening: string;
  readonly closing: string;
}
interface Statement {
  readonly month: string;
  readonly assets: readonly AssetSum[];
  readonly postings: readonly Posting[];
}

const MONTH_LENGTH = 7;
const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, MONTH_LENGTH);

export function StatementsPage({ desk }: { desk: Desk }) {
  const month = useSignal(monthOf(desk.nowMs.peek()));
  const wanted = /^\d{4}-\d{2}$/.test(month.value) ? month.value : null;
  const { value, denied } = useAsked(desk, wanted, (wire) =>
    wire.account<Statement>("GET", "statement", { query: { month: wanted ?? "" } }),
  );
  // Never rejects.
  const save = async (): Promise<void> => {
    try {
      saveBlob(
        `statement-${month.value}.csv`,
        await desk.wire.file("statement", { month: month.value, format: "csv" }),
      );
    } catch (error) {
      const { message, code } = deniedOf(error);
      desk.say("bad", customerSays.refused(message, code));
    }
  };
  const column = columnsOf<AssetSum>(desk);
  const posting = columnsOf<Posting>(desk);
  return (
    <>
      <div class="row-of end">
        <Field id="month" label={words.month} type="month" value={month} />
        <button type="button" class="button" onClick={() => void save()}>
          {words.whole}
        </button>
      </div>
      <List
        title={words.sums}
        name={`statement-sums-${month.value}`}
        rows={value?.assets ?? null}
        denied={denied}
        empty={words.none}
        keyOf={({ asset }) => asset}
        columns={[
          column.plain(words.asset, ({ asset }) => asset),
          column.amount(words.opening, ({ opening }) => opening),
          column.amount(words.moved, (row) => formatDecimal(movedOf(row, value?.postings ?? []))),
          column.amount(words.closing, ({ closing }) => closing),
          column.plain(words.check, (row) => (isWhole(row, value?.postings ?? []) ? words.holds : words.doesNotHold)),
        ]}
      />
      <List
        title={words.postings}
        name={`statement-${month.value}`}
        rows={value?.postings ?? null}
        denied={null}
        empty={words.none}
        keyOf={({ id, asset, bucket }) => `${id} ${asset} ${bucket}`}
        columns={[
          posting.moment(words.time, ({ timeMs }) => timeMs),
          posting.plain(words.asset, ({ asset }) => asset),
          posting.plain(words.bucket, ({ bucket }) => bucket),
          posting.amount(words.amount, ({ amount: units }) => units),
          posting.plain(words.reason, ({ reason }) => reason),
          posting.amount(words.after, ({ balanceAfter }) => balanceAfter),
        ]}
      />
    </>
  );
}

/** The sum of a month's movements of an asset, added up here and not by the node. */
function movedOf({ asset }: AssetSum, postings: readonly Posting[]) {
  return postings
    .filter((posting) => posting.asset === asset)
    .reduce((sum, { amount: units }) => add(sum, decimal(units)), NONE);
}

const isWhole = (row: AssetSum, postings: readonly Posting[]): boolean =>
  compare(subtract(decimal(row.closing), decimal(row.opening)), movedOf(row, postings)) === 0;
