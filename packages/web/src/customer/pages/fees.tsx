/** The account's trading fees on each market. */
import type { TradeFee } from "@pricetime/protocol";
import { columnsOf, Facts, List, Pane } from "../../pages/pane.tsx";
import { HUNDRED, multiply, parseDecimal } from "../../exact/decimal.ts";
import { showPercent } from "../../exact/shown.ts";
import { customerFees as words } from "../../words/words.ts";
import { Form } from "../../pages/form.tsx";
import { type Context, notifyDone, useExchange } from "../context.ts";

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
      <Discount context={context} />
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

/** The switch for paying fees in the discount asset. */
function Discount({ context }: { context: Context }) {
  const profile = context.profile.value;
  if (profile === null) return null;
  const { paysInDiscountAsset: isOn, commissionDiscount: discount } = profile;
  if (discount === null && !isOn) return null;
  const asset = discount?.asset ?? "";
  const percent = percentOfBps(10_000 - (discount?.factorBps ?? 0));
  return (
    <Pane title={discount === null ? words.discountOff : words.discount(asset)}>
      <Form
        class="padded"
        label={discount === null ? words.discountOff : words.discount(asset)}
        submit={isOn ? words.discountOff : words.discountOn(asset)}
        onSend={async () => {
          await context.wire.account("PUT", "commission-discount", { body: { isOn: !isOn } });
          notifyDone(context, isOn ? words.discountIsSwitchedOff : words.discountIsSwitchedOn(asset));
        }}
      >
        {discount === null ? (
          <p>{words.discountEnded}</p>
        ) : (
          <>
            <p>{isOn ? words.discountIsOn(asset, percent) : words.discountIsOff(asset, percent)}</p>
            <p class="muted">{words.discountHelp(asset)}</p>
          </>
        )}
      </Form>
    </Pane>
  );
}

/** 100 basis points are one percent. */
const percentOfBps = (bps: number): string => showPercent({ units: BigInt(bps), digits: 2 });

function percentOf(text: string): string {
  const value = parseDecimal(text);
  return value === null ? text : showPercent(multiply(value, HUNDRED));
}
