/** What was done, and what was refused outside a form; they go by themselves or by their cross. */
import { Icon } from "../panels/controls.tsx";
import { say, pagesSay } from "../words/words.ts";
import type { NoticeBoard } from "./notice-board.ts";

export function Notices({ desk }: { desk: Pick<NoticeBoard, "notices"> }) {
  return (
    <div class="page-notices" role="log" aria-label={say.notices}>
      {desk.notices.value.map(({ id, tone, text, to }) => (
        <div key={id} class={`notice ${tone}`}>
          <span>
            {text} {to !== undefined && <a href={to}>{pagesSay.lookAt}</a>}
          </span>
          <button
            type="button"
            class="quiet"
            aria-label={say.dismiss}
            onClick={() => {
              desk.notices.value = desk.notices.value.filter((one) => one.id !== id);
            }}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
