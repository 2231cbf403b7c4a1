/** The account's trading fees on each market. */
import type { TradeFee } from "@pricetime/protocol";
import { columnsOf, Facts, List, Pane } from "../../pages/pane.tsx";
import { HUNDRED, multiply, parseDecimal } from "../../exact/decimal.ts";
import { showPercent } from "../../exact/shown.ts";
import { customerFees as words } from "../../words/words.ts";
import { type Context, useExchange } from "../context.ts";

export function FeesPage({ context }: { context: Context }) {
  const { value, denied } = useExchange<readonly TradeFee[]>(context, "/sapi/v1/asset/tradeFee");
  const profile = context.profile.value;
  const column = columnsOf<TradeFee>(context);
  return (
    <>
      {profile !== null && (
        <Pane title={words.own}>
          <Facts
            rows={{ [words.maker]: percentOfBps(profile.makerBps), [words.taker]: percentOfBps(profile.takerBps) }}
          />
          <p class="padded muted">{words.help}</p>
        </Pane>
      )}
      <List
        title={words.title}
        name="fees"
        rows={value}
        denied={denied}
        empty={words.none}
        keyOf={({ symbol }) => symbol}
        columns={[
          column.plain(words.market, ({ symbol }) => symbol),
          { ...column.plain(words.maker, ({ makerCommission }) => percentOf(makerCommission)), isNumber: true },
          { ...column.plain(words.taker, ({ takerCommission }) => percentOf(takerCommission)), isNumber: true },
        ]}
      />
    </>
  );
}

/** 100 basis points are one percent. */
const percentOfBps = (bps: number): string => showPercent({ units: BigInt(bps), digits: 2 });

function percentOf(text: string): string {
  const value = parseDecimal(text);
  return value === null ? text : showPercent(multiply(value, HUNDRED));
}
