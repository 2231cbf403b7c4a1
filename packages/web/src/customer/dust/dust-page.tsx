/** Balances too small to be traded, sold to the venue together. */
import { useSignal } from "@preact/signals";
import { Pane } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/shown.ts";
import { isZero, parseDecimal } from "../../exact/decimal.ts";
import { customerDust as words } from "../../words/words.ts";
import { useCoins } from "../coins.ts";
import type { Desk } from "../desk.ts";
import { Form } from "../../pages/form.tsx";
import { Dust } from "../histories/money-lists.tsx";

export function DustPage({ desk }: { desk: Desk }) {
  const coins = useCoins(desk);
  const chosen = useSignal<readonly string[]>([]);
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
            const told = await desk.wire.exchange<{ totalTransfered: string; totalServiceCharge: string }>(
              "POST",
              path,
            );
            chosen.value = [];
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
      <Dust desk={desk} />
    </>
  );
}
