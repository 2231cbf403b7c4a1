/** The page that converts balances too small to be traded ("dust"). */
import type { DustAnswer } from "@pricetime/protocol";
import { Tick } from "../../panels/controls.tsx";
import type { Dust } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { showAmount } from "../../pages/format.ts";
import { grouped } from "../../exact/shown.ts";
import { decimal, formatShort } from "../../exact/decimal.ts";
import { customerDust as words } from "../../words/words.ts";
import { OFTEN_MS } from "../../pages/page-data.ts";
import { type Context, notifyDone, useAccount } from "../context.ts";
import { Form } from "../../pages/form.tsx";

/** The conversion of one asset. */
type Sale = DustAnswer["transferResult"][number];

const useDust = (context: Context) => useAccount<Dust>(context, "dust", { everyMs: OFTEN_MS });

export function DustPage({ context }: { context: Context }) {
  const { value, denied } = useDust(context);
  const sales = useSignal<readonly Sale[]>([]);
  return (
    <>
      <Pane title={words.title} denied={denied}>
        {value !== null &&
          (value.rules === null ? (
            <p class="nothing">{words.notOffered}</p>
          ) : (
            <DustForm
              context={context}
              rules={value.rules}
              balances={value.balances}
              onSold={(sold) => (sales.value = [...sold, ...sales.value])}
            />
          ))}
      </Pane>
      <Sales context={context} sales={sales.value} />
    </>
  );
}

interface FormProps {
  readonly context: Context;
  readonly rules: NonNullable<Dust["rules"]>;
  readonly balances: Dust["balances"];
  readonly onSold: (sales: readonly Sale[]) => void;
}

function DustForm({ context, rules, balances, onSold }: FormProps) {
  const chosen = useSignal<readonly string[]>([]);
  const terms = words.help(
    `${grouped(formatShort(decimal(rules.limit)))} ${rules.limitAsset}`,
    rules.dustAsset,
    rules.chargeBps,
  );
  const toggle = (coin: string): void => {
    chosen.value = chosen.value.includes(coin) ? chosen.value.filter((one) => one !== coin) : [...chosen.value, coin];
  };
  if (balances.length === 0) {
    return (
      <>
        <p class="padded muted">{terms}</p>
        <p class="nothing">{words.noneSmall}</p>
      </>
    );
  }
  return (
    <Form
      class="padded"
      label={words.title}
      submit={words.sell}
      check={() => (chosen.value.length === 0 ? words.noneChosen : "")}
      onSend={async () => {
        // The list is sent as a repeated parameter, which `Query` cannot represent.
        const path = `/sapi/v1/asset/dust?${chosen.value.map((coin) => `asset=${encodeURIComponent(coin)}`).join("&")}`;
        const result = await context.wire.exchange<DustAnswer>("POST", path);
        chosen.value = [];
        onSold(result.transferResult);
        notifyDone(
          context,
          words.sold(showAmount(result.totalTransfered), showAmount(result.totalServiceCharge), rules.dustAsset),
        );
      }}
    >
      <p class="muted">{terms}</p>
      <div class="ticks" role="group" aria-label={words.coins}>
        {balances.map(({ asset, free }) => (
          <Tick key={asset} isOn={chosen.value.includes(asset)} onTick={() => toggle(asset)}>
            {asset} <span class="muted">{showAmount(free)}</span>
          </Tick>
        ))}
      </div>
    </Form>
  );
}

/**
 * The conversions since the page was opened. The interface does not list earlier ones (Interface 4.6,
 * `asset/dribblet`).
 */
function Sales({ context, sales }: { context: Context; sales: readonly Sale[] }) {
  const column = columnsOf<Sale>(context);
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
