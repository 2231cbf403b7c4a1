/** Balances too small to be traded, sold to the venue together. */
import { useSignal } from "@preact/signals";
import { Pane } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/shown.ts";
import { isZero, parseDecimal } from "../../exact/decimal.ts";
import { customerDust as words } from "../../words/words.ts";
import { useCoins } from "../coins.ts";
import type { Desk } from "../desk.ts";
import { Form } from "../../pages/form.tsx";
import { columnsOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";

/** One coin that was sold (Interface 4.6, `asset/dust`). */
interface Sale {
  readonly tranId: number;
  readonly operateTime: number;
  readonly fromAsset: string;
  readonly amount: string;
  readonly transferedAmount: string;
  readonly serviceChargeAmount: string;
}

interface Sold {
  readonly totalTransfered: string;
  readonly totalServiceCharge: string;
  readonly transferResult: readonly Sale[];
}

export function DustPage({ desk }: { desk: Desk }) {
  const coins = useCoins(desk);
  const chosen = useSignal<readonly string[]>([]);
  const sales = useSignal<readonly Sale[]>([]);
  const held = (coins.value ?? []).filter(({ free }) => !isZero(parseDecimal(free) ?? { units: 0n, digits: 0 }));
  const toggle = (coin: string): void => {
    chosen.value = chosen.value.includes(coin) ? chosen.value.filter((one) => one !== coin) : [...chosen.value, coin];
  };
  return (
    <>
      <Pane title={words.title} denied={coins.denied}>
        <Form
          class="padded"
          label={words.title}
          submit={words.sell}
          check={() => (chosen.value.length === 0 ? words.noneChosen : "")}
          onSend={async () => {
            // A list is told by repeating the name, which the query of one value a name cannot.
            const path = `/sapi/v1/asset/dust?${chosen.value.map((coin) => `asset=${encodeURIComponent(coin)}`).join("&")}`;
            const told = await desk.wire.exchange<Sold>("POST", path);
            chosen.value = [];
            sales.value = [...told.transferResult, ...sales.value];
            desk.say("good", words.sold(showAmount(told.totalTransfered), showAmount(told.totalServiceCharge)));
            desk.done.value++;
          }}
        >
          <p class="muted">{words.help}</p>
          <div class="ticks" role="group" aria-label={words.coins}>
            {held.map(({ coin, free }) => (
              <label key={coin} class="tick">
                <input type="checkbox" checked={chosen.value.includes(coin)} onChange={() => toggle(coin)} />
                {coin} <span class="muted">{showAmount(free)}</span>
              </label>
            ))}
          </div>
        </Form>
      </Pane>
      <Sales desk={desk} sales={sales.value} />
    </>
  );
}

/** Those of this visit: the interface lists no earlier ones (Interface 4.6, `asset/dribblet`). */
function Sales({ desk, sales }: { desk: Desk; sales: readonly Sale[] }) {
  const column = columnsOf<Sale>(desk);
  return (
    <List
      title={words.list}
      name="small-balances"
      rows={sales}
      denied={null}
      empty={words.noneSold}
      keyOf={({ tranId, fromAsset }) => `${tranId} ${fromAsset}`}
      columns={[
        column.moment(words.time, ({ operateTime }) => operateTime),
        column.plain(words.coin, ({ fromAsset }) => fromAsset),
        column.amount(words.amount, ({ amount }) => amount),
        column.amount(words.received, ({ transferedAmount }) => transferedAmount),
        column.amount(words.charge, ({ serviceChargeAmount }) => serviceChargeAmount),
      ]}
    />
  );
}
