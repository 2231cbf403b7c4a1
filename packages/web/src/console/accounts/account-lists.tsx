/** The lists of one account: what it has, its open orders, its keys, where it may withdraw to, its sub-accounts. */
import type { Column } from "../../panels/data-table.tsx";
import { add, decimal, formatDecimal } from "../../exact/decimal.ts";
import { consoleAccounts as words, consoleSays } from "../../words/words.ts";
import { SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Link, toAccount } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { showAmount, showMoment, timeText } from "../../pages/shown.ts";
import { mayDo } from "../rights.ts";
import {
  type AccountBalance,
  accountPath,
  type Addresses,
  type Key,
  type OpenOrder,
  type PlainAccount,
  type WholeAccount,
} from "./account.ts";

interface OfAccount {
  readonly desk: Desk;
  readonly account: string;
}

const amount = <Row,>(label: string, text: (row: Row) => string): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => showAmount(text(row)),
});

const balanceColumns: readonly Column<AccountBalance>[] = [
  plain(words.asset, ({ asset }) => asset),
  amount(words.free, ({ free }) => free),
  amount(words.locked, ({ locked }) => locked),
  amount(words.total, ({ free, locked }) => formatDecimal(add(decimal(free), decimal(locked)))),
];

export function BalanceList({ desk, account }: { desk: Desk; account: WholeAccount }) {
  return (
    <List
      desk={desk}
      title={words.balances}
      name={`balances-${account.accountId}`}
      rows={account.balances}
      denied={null}
      columns={balanceColumns}
      keyOf={({ asset }) => asset}
      empty={words.noBalances}
    />
  );
}

const MOST_ORDERS_SHOWN = 1000;
const END_ORDER = "POST /v1/orders/{order}/end";

export function OrderList({ desk, account, count }: OfAccount & { count: number }) {
  const path = `${accountPath(account)}/open-orders`;
  const { value, denied } = useAsked<readonly OpenOrder[]>(desk, path, {
    query: { limit: MOST_ORDERS_SHOWN },
    everyMs: SELDOM_MS,
  });
  const columns: readonly Column<OpenOrder>[] = [
    plain(words.order, ({ orderId }) => String(orderId), true),
    {
      label: words.symbol,
      text: ({ symbol }) => symbol,
      show: ({ symbol }) => <Link to={{ page: "markets", subject: symbol }}>{symbol}</Link>,
    },
    plain(words.side, ({ side }) => side),
    plain(words.type, ({ type }) => type),
    amount(words.price, ({ price }) => price),
    amount(words.stopPrice, ({ stopPrice }) => stopPrice),
    amount(words.quantity, ({ quantity }) => quantity),
    amount(words.executed, ({ executed }) => executed),
    plain(words.clientOrderId, ({ clientOrderId }) => clientOrderId),
    { label: words.placed, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
    {
      label: consoleSays.action,
      isActs: true,
      show: (order) =>
        mayDo(desk, END_ORDER) && (
          <button
            type="button"
            class="link grave"
            aria-label={words.endOrderNumber(order.orderId)}
            onClick={() => {
              desk.wish.value = {
                key: END_ORDER,
                given: { order: String(order.orderId) },
                known: knownOf(order, account),
              };
            }}
          >
            {words.endOrder}
          </button>
        ),
    },
  ];
  return (
    <List
      {...{ desk, denied, columns }}
      title={words.openOrders}
      name={`open-orders-${account}`}
      rows={value}
      keyOf={({ orderId }) => orderId}
      empty={words.noOrders}
      whole={{ path }}
      more={count > MOST_ORDERS_SHOWN && <p class="more">{words.moreOrders(MOST_ORDERS_SHOWN, count)}</p>}
    />
  );
}

/** What a confirmation shows of an order. */
function knownOf(order: OpenOrder, account: string): Readonly<Record<string, string>> {
  return {
    [words.order]: String(order.orderId),
    [words.symbol]: order.symbol,
    [words.side]: order.side,
    [words.type]: order.type,
    [words.price]: order.price,
    [words.quantity]: order.quantity,
    [words.executed]: order.executed,
    [words.account]: account,
  };
}

const DELETE_KEY = "DELETE /v1/keys/{apiKey}";

export function KeyList({ desk, account }: OfAccount) {
  const path = `${accountPath(account)}/keys`;
  const { value, denied } = useAsked<readonly Key[]>(desk, path);
  const columns: readonly Column<Key>[] = [
    { label: words.key, text: ({ apiKey }) => apiKey, show: ({ apiKey }) => <code>{apiKey}</code> },
    plain(words.label, ({ label }) => label),
    plain(words.permissions, ({ permissions }) => permissions.join(", ")),
    plain(words.ips, ({ ipAllowList }) => (ipAllowList.length === 0 ? words.anywhere : ipAllowList.join(", "))),
    plain(words.kind, ({ publicKey }) => (publicKey === undefined ? words.hmac : words.ed25519)),
    {
      label: words.created,
      text: ({ createdMs }) => timeText(createdMs),
      show: ({ createdMs }) => showMoment(desk, createdMs),
    },
    {
      label: consoleSays.action,
      isActs: true,
      show: ({ apiKey, label, permissions }) =>
        mayDo(desk, DELETE_KEY) && (
          <button
            type="button"
            class="link grave"
            aria-label={words.deleteKey(apiKey)}
            onClick={() => {
              const known = {
                [words.key]: apiKey,
                [words.label]: label,
                [words.permissions]: permissions.join(", "),
                [words.account]: account,
              };
              desk.wish.value = { key: DELETE_KEY, given: { apiKey }, known };
            }}
          >
            {words.delete}
          </button>
        ),
    },
  ];
  return (
    <List
      {...{ desk, denied, columns }}
      title={words.keys}
      name={`keys-${account}`}
      rows={value}
      keyOf={({ apiKey }) => apiKey}
      empty={words.noKeys}
      whole={{ path }}
    />
  );
}

export function AddressList({ desk, account }: OfAccount) {
  const path = `${accountPath(account)}/addresses`;
  const { value, denied } = useAsked<Addresses>(desk, path);
  const columns: readonly Column<Addresses["addresses"][number]>[] = [
    plain(words.network, ({ network }) => network),
    { label: words.address, text: ({ address }) => address, show: ({ address }) => <code>{address}</code> },
    plain(words.tag, ({ tag }) => tag),
    plain(words.name, ({ name }) => name),
  ];
  return (
    <List
      {...{ desk, denied, columns }}
      title={words.addresses}
      name={`addresses-${account}`}
      rows={value?.addresses ?? null}
      keyOf={({ network, address, tag }) => `${network} ${address} ${tag}`}
      empty={words.noAddresses}
      whole={{ path }}
    />
  );
}

export function SubAccountList({ desk, account }: OfAccount) {
  const path = `${accountPath(account)}/sub-accounts`;
  const { value, denied } = useAsked<readonly PlainAccount[]>(desk, path);
  const columns: readonly Column<PlainAccount>[] = [
    {
      label: words.number,
      isNumber: true,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <Link to={toAccount(accountId)}>{accountId}</Link>,
    },
    plain(words.email, ({ email }) => email),
    plain(words.name, ({ name }) => name),
  ];
  return (
    <List
      {...{ desk, denied, columns }}
      title={words.subAccounts}
      name={`sub-accounts-${account}`}
      rows={value}
      keyOf={({ accountId }) => accountId}
      empty={words.noSubAccounts}
      whole={{ path }}
    />
  );
}
