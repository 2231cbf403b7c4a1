/** The menu that shows and hides the columns of a table. */
import { useEffect, useRef } from "preact/hooks";
import { Button, Tick } from "../panels/controls.tsx";
import type { Column } from "../panels/data-table.tsx";
import { consoleWords as words } from "../words/words.ts";
import type { TableChoices } from "./table-choices.ts";

interface ColumnsMenuProps<Row> {
  readonly tables: TableChoices;
  readonly name: string;
  readonly title: string;
  readonly columns: readonly Column<Row>[];
}

/** The first column names the row, so it cannot be hidden, nor can columns with buttons. */
export function ColumnsMenu<Row>({ tables: { hidden }, name, title, columns }: ColumnsMenuProps<Row>) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeOutside(menu.current), []);
  const off = hidden.value[name] ?? [];
  const set = (labels: readonly string[]): void => {
    hidden.value = { ...hidden.value, [name]: labels };
  };
  const [, ...others] = columns.filter(
    ({ show, isActions, label }) => show !== undefined && !isActions && label !== "",
  );
  return (
    <details ref={menu} class="columns-menu">
      <summary class="quiet" aria-label={words.columnsOf(title)}>
        {words.columns}
        {off.length > 0 && <span class="count">{`−${off.length}`}</span>}
      </summary>
      <div class="menu" role="group" aria-label={words.columnsOf(title)}>
        {others.map(({ label }) => (
          <Tick
            key={label}
            isOn={!off.includes(label)}
            onTick={(isOn) => set(isOn ? off.filter((one) => one !== label) : [...off, label])}
          >
            {label}
          </Tick>
        ))}
        {off.length > 0 && (
          <Button class="quiet" onClick={() => set([])}>
            {words.allColumns}
          </Button>
        )}
      </div>
    </details>
  );
}

/** Closes an open menu on Escape and when the user clicks or tabs out of it. */
export function closeOutside(menu: HTMLDetailsElement | null): () => void {
  const close = ({ target }: Event): void => {
    if (menu?.open === true && !(target instanceof Node && menu.contains(target))) menu.open = false;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || menu?.open !== true) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  };
  document.addEventListener("click", close);
  document.addEventListener("focusin", close);
  menu?.addEventListener("keydown", onKey);
  return () => {
    document.removeEventListener("click", close);
    document.removeEventListener("focusin", close);
    menu?.removeEventListener("keydown", onKey);
  };
}
