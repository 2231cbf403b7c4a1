/** The lists of one account: balances, open orders, API keys, addresses, sub-accounts and balance adjustments. */
import type {
  AccountBalance,
  Addresses,
  Adjustment,
  KeyRow,
  OpenOrder,
  PlainAccount,
  WholeAccount,
} from "@pricetime/server/answers";
import { shownName } from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { add, decimal, formatDecimal } from "../../exact/decimal.ts";
import { NO_ORDER_LIST } from "@pricetime/protocol";
import { consoleAccounts, consoleAdjustments, consoleWords, orderWords } from "../../words/words.ts";
import { bySeq, type Context, SELDOM_MS, useFetched } from "../context.ts";
import { code, FetchedList, FormButton, Link, linked, List, ofAccount, PagedList, toAccount } from "../elements.tsx";
import { amount, moment, plain } from "../../pages/pane.tsx";
import { BLANK } from "../../exact/shown.ts";
import { showAmount, signatureOf } from "../../pages/format.ts";
import { accountPath } from "../account-data.tsx";

interface OfAccount {
  readonly context: Context;
  readonly account: string;
}

const balanceColumns: readonly Column<AccountBalance>[] = [
  { ...plain<AccountBalance>(consoleAccounts.asset, ({ asset }) => asset), isHead: true },
  amount(consoleAccounts.free, ({ free }) => free),
  amount(consoleAccounts.locked, ({ locked }) => locked),
  amount(consoleAccounts.total, ({ free, locked }) => formatDecimal(add(decimal(free), decimal(locked)))),
];

export function BalanceList({ context, account }: { context: Context; account: WholeAccount }) {
  return (
    <List
      context={context}
      title={consoleAccounts.balances}
      name={`balances-${account.accountId}`}
      rows={account.balances}
      denied={null}
      columns={balanceColumns}
      keyOf={({ asset }) => asset}
      empty={consoleAccounts.noBalances}
    />
  );
}

const MOST_ORDERS_SHOWN = 1000;

export function OrderList({ context, account, count }: OfAccount & { count: number }) {
  const columns: readonly Column<OpenOrder>[] = [
    plain(consoleAccounts.order, ({ orderId }) => String(orderId)),
    linked("markets", consoleAccounts.symbol, ({ symbol }) => symbol),
    plain(consoleAccounts.side, ({ side }) => side),
    plain(consoleAccounts.type, ({ type }) => type),
    amount(consoleAccounts.price, ({ price }) => price),
    {
      ...amount<OpenOrder>(consoleAccounts.stopPrice, ({ stopPrice }) => stopPrice),
      show: ({ stopPrice }) => (Number(stopPrice) === 0 ? BLANK : showAmount(stopPrice)),
    },
    amount(consoleAccounts.quantity, ({ quantity }) => quantity),
    amount(consoleAccounts.executed, ({ executed }) => executed),
    plain(consoleAccounts.orderStatus, ({ status }) => orderWords.statuses[status] ?? status),
    plain(consoleAccounts.orderList, ({ orderListId }) => (orderListId === NO_ORDER_LIST ? "" : String(orderListId))),
    plain(consoleAccounts.clientOrderId, ({ clientOrderId }) => clientOrderId),
    moment(context, consoleAccounts.placed, ({ timeMs }) => timeMs),
    {
      label: consoleWords.action,
      isActions: true,
      show: (order) => (
        <FormButton
          context={context}
          form={{
            key: "POST /v1/orders/{order}/end",
            given: { order: String(order.orderId) },
            fixed: { symbol: order.symbol },
            known: knownOf(order, account),
          }}
          label={consoleAccounts.endOrderNumber(order.orderId)}
          class="link grave"
          data-route="POST /v1/orders/{order}/end"
        >
          {consoleAccounts.endOrder}
        </FormButton>
      ),
    },
  ];
  return (
    <FetchedList
      {...{ context, columns }}
      path={`${accountPath(account)}/open-orders`}
      limit={MOST_ORDERS_SHOWN}
      everyMs={SELDOM_MS}
      title={consoleAccounts.openOrders}
      name={`open-orders-${account}`}
      keyOf={({ symbol, orderId }) => `${symbol} ${orderId}`}
      empty={consoleAccounts.noOrders}
      more={count > MOST_ORDERS_SHOWN && <p class="more">{consoleAccounts.moreOrders(MOST_ORDERS_SHOWN, count)}</p>}
    />
  );
}

/** The details of an order in the confirmation. */
function knownOf(order: OpenOrder, account: string): Readonly<Record<string, string>> {
  return {
    [consoleAccounts.order]: String(order.orderId),
    [consoleAccounts.symbol]: order.symbol,
    [consoleAccounts.side]: order.side,
    [consoleAccounts.type]: order.type,
    [consoleAccounts.price]: order.price,
    [consoleAccounts.quantity]: order.quantity,
    [consoleAccounts.executed]: order.executed,
    ...(order.orderListId !== NO_ORDER_LIST && {
      [consoleAccounts.orderList]: consoleAccounts.withList(order.orderListId),
    }),
    [consoleAccounts.account]: account,
  };
}

export function KeyList({ context, account }: OfAccount) {
  const columns: readonly Column<KeyRow>[] = [
    code(consoleAccounts.key, ({ apiKey }) => apiKey),
    plain(consoleAccounts.label, ({ label }) => label),
    plain(consoleAccounts.permissions, ({ permissions }) => permissions.join(", ")),
    plain(consoleAccounts.ips, ({ ipAllowList }) =>
      ipAllowList.length === 0 ? consoleAccounts.anywhere : ipAllowList.join(", "),
    ),
    plain(consoleAccounts.kind, ({ publicKey }) => signatureOf(publicKey, consoleAccounts.hmac)),
    moment(context, consoleAccounts.created, ({ createdMs }) => createdMs),
    {
      label: consoleWords.action,
      isActions: true,
      show: ({ apiKey, label, permissions }) => {
        const known = {
          [consoleAccounts.key]: apiKey,
          [consoleAccounts.label]: label,
          [consoleAccounts.permissions]: permissions.join(", "),
          [consoleAccounts.account]: account,
        };
        return (
          <FormButton
            context={context}
            form={{ key: "DELETE /v1/keys/{apiKey}", given: { apiKey }, known }}
            label={consoleAccounts.deleteKey(apiKey)}
            class="link grave"
            data-route="DELETE /v1/keys/{apiKey}"
          >
            {consoleAccounts.delete}
          </FormButton>
        );
      },
    },
  ];
  return (
    <FetchedList
      {...{ context, columns }}
      path={`${accountPath(account)}/keys`}
      title={consoleAccounts.keys}
      name={`keys-${account}`}
      keyOf={({ apiKey }) => apiKey}
      empty={consoleAccounts.noKeys}
    />
  );
}

const addressColumns: readonly Column<Addresses["addresses"][number]>[] = [
  plain(consoleAccounts.network, ({ network }) => network),
  code(consoleAccounts.address, ({ address }) => address),
  plain(consoleAccounts.tag, ({ tag }) => tag),
  plain(consoleAccounts.name, ({ name }) => name),
];

export function AddressList({ context, account }: OfAccount) {
  const path = `${accountPath(account)}/addresses`;
  const { value, denied } = useFetched<Addresses>(context, path);
  return (
    <List
      {...{ context, denied }}
      title={consoleAccounts.addresses}
      name={`addresses-${account}`}
      rows={value?.addresses ?? null}
      columns={addressColumns}
      keyOf={({ network, address, tag }) => `${network} ${address} ${tag}`}
      empty={consoleAccounts.noAddresses}
      whole={{ path }}
    />
  );
}

export const numberColumn: Column<PlainAccount> = {
  label: consoleAccounts.number,
  text: ({ accountId }) => String(accountId),
  show: ({ accountId }) => <Link to={toAccount(accountId)}>{accountId}</Link>,
};

const subAccountColumns: readonly Column<PlainAccount>[] = [
  numberColumn,
  { ...plain<PlainAccount>(consoleAccounts.email, ({ email }) => email), isHead: true },
  plain(consoleAccounts.name, ({ name }) => name),
];

export function SubAccountList({ context, account }: OfAccount) {
  return (
    <FetchedList
      context={context}
      path={`${accountPath(account)}/sub-accounts`}
      title={consoleAccounts.subAccounts}
      name={`sub-accounts-${account}`}
      columns={subAccountColumns}
      keyOf={({ accountId }) => accountId}
      empty={consoleAccounts.noSubAccounts}
    />
  );
}

// Balance adjustments between customers and house accounts, newest first, of one account or of all accounts.

const read = bySeq<Adjustment>;

interface Props {
  readonly context: Context;
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
}

export function AdjustmentList({ context, title, query }: Props) {
  const columns: readonly Column<Adjustment>[] = [
    moment(context, consoleAdjustments.time, ({ timeMs }) => timeMs),
    ofAccount(consoleAdjustments.account),
    {
      label: consoleAdjustments.amount,
      isNumber: true,
      text: ({ amount: text }) => text,
      show: ({ amount: text, asset }) => `${showAmount(text)} ${asset}`,
    },
    // This column is only in the CSV file. On the page, the asset is beside the amount.
    { label: consoleAdjustments.asset, text: ({ asset }) => asset },
    plain(consoleAdjustments.house, ({ house }) => house),
    plain(consoleAdjustments.category, ({ category }) => consoleAdjustments.categories[category] ?? category),
    plain(consoleAdjustments.reason, ({ why }) => why),
    plain(consoleAdjustments.reference, ({ reference }) => reference),
    plain(consoleAdjustments.by, ({ by }) => shownName(by)),
  ];
  return (
    <PagedList
      {...{ context, title, query, read, columns }}
      path="/v1/adjustments"
      name="adjustments"
      keyOf={({ seq }) => seq}
      empty={consoleAdjustments.none}
    />
  );
}
