/** The account's balances, their estimated value, and pending deposits and withdrawals. */
import { useSignal } from "@preact/signals";
import { showMoment } from "../../pages/format.ts";
import { add, compare, decimal, formatDecimal, isZero, NONE, type Decimal } from "../../exact/decimal.ts";
import { BLANK, grouped, plainDecimal, showDecimal } from "../../exact/shown.ts";
import { quoteAssets, worthIn } from "../../panels/show.ts";
import { customerOverview as words } from "../../words/words.ts";
import { type Context, useCoins, useExchange, useFetched, useSymbols } from "../context.ts";
import { Choice } from "../../pages/form.tsx";
import { columnsOf, List } from "../../pages/pane.tsx";
import { hashOf } from "../place.ts";
import type { Coin } from "@pricetime/protocol";

type Prices = ReadonlyMap<string, { readonly lastPrice: string }>;
const WORTH_DIGITS = 2;
/** Sorts assets without a price last. */
const UNPRICED: Decimal = { units: -1n, digits: 0 };

export function OverviewPage({ context }: { context: Context }) {
  const coins = useCoins(context);
  const symbols = useSymbols(context).value ?? [];
  const prices = usePrices(context);
  const orders = useExchange<readonly unknown[]>(context, "/api/v3/openOrders");
  const chosen = useSignal("");
  const quotes = quoteAssets(symbols);
  const quote = chosen.value === "" ? (quotes[0] ?? "") : chosen.value;
  const worth = (coin: Coin): Decimal | null => worthIn(totalOf(coin), coin.coin, quote, prices, quotes);
  const held = (coins.value ?? [])
    .filter((coin) => !isZero(totalOf(coin)))
    .toSorted((one, other) => compare(worth(other) ?? UNPRICED, worth(one) ?? UNPRICED));
  const unpriced = held.filter((coin) => worth(coin) === null).map(({ coin }) => coin);
  const column = columnsOf<Coin>(context);
  return (
    <>
      <section class="cards three-cards" aria-label={words.atAGlance}>
        <div class="card">
          <b>
            {coins.value === null || quote === "" ? BLANK : sumText(held, worth)} {quote}
          </b>
          {words.worth(unpriced)}
        </div>
        <a class="card" href="../">
          <b>{orders.value?.length ?? BLANK}</b>
          {words.openOrders}
        </a>
        <div class="card">
          <Choice
            id="quote"
            label={words.valueIn}
            value={quote}
            options={quotes.map((asset) => [asset, asset] as const)}
            onChoose={(asset) => (chosen.value = asset)}
          />
        </div>
      </section>
      <ProofLine context={context} />
      {context.profile.value?.hasTotp === false && (
        <p class="told">
          {words.noTotp} <a href={hashOf("security")}>{words.toSecurity}</a>
        </p>
      )}
      <List
        title={words.balances}
        name="balances"
        rows={coins.value === null ? null : held}
        denied={coins.denied}
        empty={words.nothing}
        tools={coins.value !== null && held.length === 0 && <FirstDeposit />}
        keyOf={({ coin }) => coin}
        columns={[
          { ...column.plain(words.asset, ({ coin }) => coin), isHead: true },
          column.amount(words.free, ({ free }) => free),
          column.amount(words.locked, ({ locked }) => locked),
          column.amount(words.withdrawing, ({ withdrawing }) => withdrawing),
          column.amount(words.total, (coin) => formatDecimal(totalOf(coin))),
          {
            label: words.worthIn(quote),
            isNumber: true,
            show: (coin) => worthText(worth(coin)),
            text: (coin) => worthFile(worth(coin)),
          },
          {
            label: words.move,
            isActions: true,
            show: ({ coin }) => <Moves coin={coin} />,
          },
        ]}
      />
      <p class="muted">{words.worthHelp}</p>
    </>
  );
}

const Moves = ({ coin }: { coin: string }) => (
  <>
    <a class="link" href={hashOf("deposit", { coin })} aria-label={words.depositOf(coin)}>
      {words.deposit}
    </a>{" "}
    <a class="link" href={hashOf("withdraw", { coin })} aria-label={words.withdrawOf(coin)}>
      {words.withdraw}
    </a>
  </>
);

/** The next step of a customer without balances. */
const FirstDeposit = () => (
  <a class="button primary" href={hashOf("deposit")}>
    {words.deposit}
  </a>
);

/** Formats an estimated total. Returns "" if none of the assets has a price. */
function sumText(held: readonly Coin[], worth: (coin: Coin) => Decimal | null): string {
  const known = held.map(worth).filter((value) => value !== null);
  if (known.length === 0 && held.length > 0) return BLANK;
  return showDecimal(formatDecimal(known.reduce((sum, value) => add(sum, value), NONE)), WORTH_DIGITS);
}

/**
 * The result of verifying the proof of liabilities at sign-in. It is on the first page, so that customers notice
 * failures.
 */
function ProofLine({ context }: { context: Context }) {
  const outcome = context.proof.value;
  if (outcome === null || outcome.kind === "none") return null;
  const isWhole = outcome.kind === "holds";
  return (
    <p class={`told ${isWhole ? "good-text" : "warned"}`} role="status">
      {isWhole ? words.proofHolds(showMoment(context, outcome.checked.statement.timeMs)) : outcome.text}{" "}
      <a href={hashOf("proof")}>{words.toProof}</a>
    </p>
  );
}

const worthFile = (value: Decimal | null): string =>
  value === null ? "" : plainDecimal(formatDecimal(value), WORTH_DIGITS);
const worthText = (value: Decimal | null): string => (value === null ? BLANK : grouped(worthFile(value)));

function totalOf({ free, locked, withdrawing }: Coin): Decimal {
  return [free, locked, withdrawing].reduce((sum, text) => add(sum, decimal(text)), NONE);
}

function usePrices(context: Context): Prices {
  const { value } = useFetched(context, "prices", async (wire) => {
    const rows = await wire.exchange<readonly { symbol: string; price: string }[]>("GET", "/api/v3/ticker/price");
    return new Map(rows.map(({ symbol, price }) => [symbol, { lastPrice: price }]));
  });
  return value ?? NO_PRICES;
}
const NO_PRICES: Prices = new Map();
