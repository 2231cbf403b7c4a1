/** The sub-accounts of a master account, their balances, and transfers between them. */
import type { SubAccountBalance } from "@pricetime/protocol";
import { Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { columnsOf, List, Pane } from "../../pages/pane.tsx";
import { isZero, parseDecimal } from "../../exact/decimal.ts";
import { customerSubAccounts as words } from "../../words/words.ts";
import { type Context, notifyDone, useAction, useCoins, useExchange } from "../context.ts";
import { AmountField, Choice, Form } from "../../pages/form.tsx";
import { hashOf } from "../place.ts";
import type { Profile, SubAccount } from "@pricetime/server/answers";

export function SubAccountsPage({ context }: { context: Context }) {
  const profile = context.profile.value;
  const chosen = useSignal("");
  const subs = profile?.subAccounts ?? [];
  const column = columnsOf<SubAccount>(context);
  const runAction = useAction(context);
  const discount = profile?.commissionDiscount?.asset ?? "";
  const setDiscount = ({ accountId, email, paysInDiscountAsset: isOn }: SubAccount): void =>
    runAction(isOn ? words.discountIsSwitchedOff(email) : words.discountIsSwitchedOn(email, discount), () =>
      context.wire.account("PUT", "commission-discount", { query: { account: accountId }, body: { isOn: !isOn } }),
    );
  return (
    <>
      <List
        title={words.title}
        name="sub-accounts"
        rows={profile === null ? null : subs}
        denied={null}
        empty={words.none}
        keyOf={({ accountId }) => accountId}
        columns={[
          column.plain(words.email, ({ email }) => email),
          column.plain(words.name, ({ name }) => name),
          column.plain(words.state, ({ isEnabled }) => (isEnabled ? words.enabled : words.frozen)),
          ...(discount === ""
            ? []
            : [
                column.plain(words.feesIn(discount), ({ paysInDiscountAsset }: SubAccount) =>
                  paysInDiscountAsset ? words.on : words.off,
                ),
              ]),
          {
            label: words.acts,
            isActions: true,
            show: (sub) => (
              <>
                {(discount !== "" || sub.paysInDiscountAsset) && (
                  <Button
                    class="link"
                    aria-label={(sub.paysInDiscountAsset ? words.discountOffOf : words.discountOnOf)(
                      sub.email,
                      discount,
                    )}
                    onClick={() => setDiscount(sub)}
                  >
                    {sub.paysInDiscountAsset ? words.discountOff : words.discountOn(discount)}
                  </Button>
                )}{" "}
                <Button
                  class="link"
                  aria-label={words.balancesOf(sub.email)}
                  onClick={() => (chosen.value = sub.email)}
                >
                  {words.balances}
                </Button>{" "}
                <a
                  class="link"
                  href={hashOf("keys", { account: String(sub.accountId) })}
                  aria-label={words.keysOf(sub.email)}
                >
                  {words.keys}
                </a>
              </>
            ),
          },
        ]}
      />
      {chosen.value !== "" && <Balances key={chosen.value} context={context} email={chosen.value} />}
      {profile !== null && subs.length > 0 && <Transfer context={context} profile={profile} />}
    </>
  );
}

function Balances({ context, email }: { context: Context; email: string }) {
  const { value, denied } = useExchange<{ balances: readonly SubAccountBalance[] }>(
    context,
    "/sapi/v4/sub-account/assets",
    { query: { email } },
  );
  const isSome = (text: string): boolean => !isZero(parseDecimal(text) ?? { units: 0n, digits: 0 });
  const column = columnsOf<SubAccountBalance>(context);
  return (
    <List
      title={words.balancesOf(email)}
      name="sub-account-balances"
      rows={value === null ? null : value.balances.filter(({ free, locked }) => isSome(free) || isSome(locked))}
      denied={denied}
      empty={words.nothing}
      keyOf={({ asset }) => asset}
      columns={[
        column.plain(words.coin, ({ asset }) => asset),
        column.amount(words.free, ({ free }) => free),
        column.amount(words.locked, ({ locked }) => locked),
      ]}
    />
  );
}

function Transfer({ context, profile }: { context: Context; profile: Profile }) {
  const all = [profile.email, ...profile.subAccounts.map(({ email }) => email)];
  const options = all.map((email) => [email, email] as const);
  const from = useSignal(profile.email);
  const to = useSignal(all[1] ?? "");
  const asset = useSignal("");
  const units = useSignal("");
  const coins = useCoins(context).value ?? [];
  const coin = asset.value === "" ? (coins[0]?.coin ?? "") : asset.value;
  return (
    <Pane title={words.transfer}>
      <Form
        class="padded"
        label={words.transfer}
        submit={words.transferIt}
        check={() =>
          parseDecimal(units.value.trim()) === null ? words.noAmount : from.value === to.value ? words.same : ""
        }
        onSend={async () => {
          await context.wire.exchange("POST", "/sapi/v1/sub-account/universalTransfer", {
            ...{ fromEmail: from.value, toEmail: to.value, fromAccountType: "SPOT", toAccountType: "SPOT" },
            ...{ asset: coin, amount: units.value.trim() },
          });
          units.value = "";
          notifyDone(context, words.transferred);
        }}
      >
        <div class="fields">
          <Choice
            id="from"
            label={words.from}
            value={from.value}
            options={options}
            onChoose={(id) => (from.value = id)}
          />
          <Choice id="to" label={words.to} value={to.value} options={options} onChoose={(id) => (to.value = id)} />
          <Choice
            id="transfer-coin"
            label={words.coin}
            value={coin}
            options={coins.map(({ coin: id }) => [id, id])}
            onChoose={(id) => (asset.value = id)}
          />
          <AmountField id="transfer-amount" label={words.amount} value={units} />
        </div>
      </Form>
    </Pane>
  );
}
