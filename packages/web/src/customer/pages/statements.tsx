/** Monthly statements: each movement, and the balances before and after. */
import { saveBlob } from "../../panels/save-table.ts";
import { Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { deniedOf } from "../../pages/request.ts";
import { add, compare, decimal, NONE, subtract } from "../../exact/decimal.ts";
import { customerStatements as words } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import type { Posting, Statement, StatementSum } from "@pricetime/server/answers";
import { AccountChoice, chosenAccount } from "../elements.tsx";
import { columnsOf, List } from "../../pages/pane.tsx";
import { Field } from "../../pages/form.tsx";

const MONTH_LENGTH = 7;
const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, MONTH_LENGTH);

export function StatementsPage({ context }: { context: Context }) {
  const account = chosenAccount(context);
  const month = useSignal(monthOf(context.nowMs.peek()));
  const wanted = /^\d{4}-\d{2}$/.test(month.value) ? month.value : null;
  const { value, denied } = useFetched(
    context,
    wanted === null ? null : `${account} ${wanted}`,
    (wire) => wire.account<Statement>("GET", "statement", { query: { account, month: wanted ?? "" } }),
    { isStill: true },
  );
  // The promise never rejects.
  const save = async (): Promise<void> => {
    try {
      saveBlob(
        `statement-${account}-${month.value}.csv`,
        await context.wire.file("statement", { account, month: month.value, format: "csv" }),
      );
    } catch (error) {
      context.notify("bad", deniedOf(error).message);
    }
  };
  const column = columnsOf<StatementSum>(context);
  const posting = columnsOf<Posting>(context);
  return (
    <>
      <AccountChoice context={context} page="statements" words={words} />
      <div class="row-of end">
        <Field id="month" label={words.month} type="month" value={month} />
        <Button onClick={() => void save()}>{words.whole}</Button>
      </div>
      <List
        title={words.sums}
        name={`statement-sums-${account}-${month.value}`}
        rows={value?.sums ?? null}
        denied={denied}
        empty={words.none}
        keyOf={({ asset }) => asset}
        columns={[
          column.plain(words.asset, ({ asset }) => asset),
          column.amount(words.opening, ({ opening }) => opening),
          column.amount(words.moved, ({ movements }) => movements),
          column.amount(words.closing, ({ closing }) => closing),
          column.plain(words.check, (row) => (isWhole(row, value?.postings ?? []) ? words.holds : words.doesNotHold)),
        ]}
      />
      <List
        title={words.postings}
        name={`statement-${account}-${month.value}`}
        rows={value?.postings ?? null}
        denied={null}
        empty={words.none}
        keyOf={({ id, asset, bucket }) => `${id} ${asset} ${bucket}`}
        columns={[
          posting.moment(words.time, ({ timeMs }) => timeMs),
          posting.plain(words.asset, ({ asset }) => asset),
          posting.plain(words.bucket, ({ bucket }) => words.bucketName(bucket)),
          posting.amount(words.amount, ({ amount: units }) => units),
          posting.plain(words.reason, ({ reason }) => words.reasonName(reason)),
          posting.amount(words.after, ({ balanceAfter }) => balanceAfter),
        ]}
      />
    </>
  );
}

/**
 * Whether the opening balance and the shown movements add up to the closing balance. Computed here, independently of
 * the node.
 */
function isWhole({ asset, opening, closing }: StatementSum, postings: readonly Posting[]): boolean {
  const moved = postings
    .filter((posting) => posting.asset === asset)
    .reduce((sum, { amount }) => add(sum, decimal(amount)), NONE);
  return compare(subtract(decimal(closing), decimal(opening)), moved) === 0;
}
