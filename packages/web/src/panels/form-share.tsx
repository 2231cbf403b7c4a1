/** A slider over what is available, and buttons for quarters of it. */
import type { Signal } from "@preact/signals";
import { showDecimal } from "../exact/shown.ts";
import { form as words, numbers } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import type { Check } from "./form-check.ts";
import { type Around, fillShare, freeOf, shareOf } from "./share.ts";

const QUARTERS = [25, 50, 75, 100];

interface Props {
  readonly desk: Desk;
  readonly check: Check;
  /** The share that was chosen here last; null: something was typed since. */
  readonly slid: Signal<number | null>;
}

export function FormShare({ desk, check: { market, book }, slid }: Props) {
  const { ticket, account } = desk;
  const around: Around = { market, book, free: freeOf(market, account.balances.value) };
  const share = shareOf(ticket, around, slid.value);
  const isBuy = ticket.side.value === "BUY";
  const asset = isBuy ? market.quoteAsset : market.baseAsset;
  const free = account.session.value === null ? undefined : (account.balances.value.get(asset)?.free ?? "0");
  const set = (percent: number): void => {
    slid.value = percent;
    fillShare(ticket, around, percent);
  };
  return (
    <div class="slider">
      <p class="available">
        <span>{words.available}</span>
        <span>
          <b>{showDecimal(free, isBuy ? Math.max(2, market.priceDigits) : market.quantityDigits)}</b> {asset}
        </span>
      </p>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={share}
        aria-label={words.share}
        aria-valuetext={numbers.percent(share)}
        ref={(slider) => slider?.style.setProperty("--share", `${share}%`)}
        onInput={(event) => {
          set(Number(event.currentTarget.value));
          // Where nothing is free it goes back, also when nothing else changes.
          event.currentTarget.value = String(shareOf(ticket, around, slid.peek()));
        }}
      />
      <div class="shares">
        {QUARTERS.map((percent) => (
          <button key={percent} type="button" onClick={() => set(percent)}>
            {numbers.percent(percent)}
          </button>
        ))}
      </div>
    </div>
  );
}
