/** The menu of an object's actions, in groups. Actions that are not possible now are shown with the reason. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../panels/controls.tsx";
import { consoleActionGroups as groups, consoleApprovals, consoleButtons, consoleWords } from "../words/words.ts";
import { closeOutside } from "./columns-menu.tsx";
import { isForOperators, mayDo } from "./context.ts";
import { type ActionProps, openFormOf } from "./elements.tsx";
import { buttonsOn, ROUTES } from "./routes.ts";

interface ActionMenuProps extends ActionProps {
  /** Why actions are not possible now, by route key. */
  readonly reasons: Readonly<Record<string, string>>;
}

export function ActionMenu({ context, page, on, given = {}, hidden = [], reasons, ...bodies }: ActionMenuProps) {
  const keys = buttonsOn(page, on).filter((key) => mayDo(context, key) && !hidden.includes(key));
  if (keys.length === 0) return <p class="muted">{consoleWords.noActions}</p>;
  const reasonOf = (key: string): string | undefined =>
    isForOperators(context, key) ? consoleApprovals.operatorsOnly : reasons[key];
  const open = (key: string): void => {
    context.openForm.value = openFormOf(key, given, bodies);
  };
  return (
    <Menu label={consoleWords.actions}>
      {Object.entries(byGroup(keys)).map(([group, some]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          {some.map((key) => (
            <Item key={key} route={key} reason={reasonOf(key)} onOpen={() => open(key)} />
          ))}
        </section>
      ))}
    </Menu>
  );
}

interface MenuProps {
  readonly label: string;
  /** Classes of the button that opens the menu, and of the menu. */
  readonly button?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A button that opens a menu of actions. The menu closes when one of them opens its form, which takes the focus. */
export function Menu({ label, button = "", class: name = "", children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeOutside(menu.current), []);
  return (
    <details ref={menu} class={`columns-menu action-menu ${name}`}>
      <summary class={`button ${button}`}>{label}</summary>
      <div class="menu" role="group" aria-label={label}>
        {children}
      </div>
    </details>
  );
}

function Item({ route, reason, onOpen }: { route: string; reason: string | undefined; onOpen: () => void }) {
  const isDestructive = ROUTES[route]?.isDestructive === true;
  return (
    <Button
      class={`item ${isDestructive ? "grave" : ""}`}
      data-route={route}
      aria-disabled={reason !== undefined}
      onClick={() => reason === undefined && onOpen()}
    >
      {consoleButtons[route] ?? route}
      {reason !== undefined && <span class="muted"> {reason}</span>}
    </Button>
  );
}

/** The part of a path after the object decides the group: `/v1/accounts/{account}/totp` is about sign-in. */
const partOf = (key: string): string => key.split("/")[4] ?? "";

function byGroup(keys: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const key of keys) (found[groups.of[partOf(key)] ?? groups.other] ??= []).push(key);
  return found;
}
