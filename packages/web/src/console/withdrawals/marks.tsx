/** Marks of risk: each with the fact that it stands for. */
import { consoleWithdrawals } from "../../words/words.ts";

export function Marks({ marks }: { marks: readonly string[] }) {
  return (
    <>
      {marks.map((mark) => (
        <span key={mark} class="tag warn" title={consoleWithdrawals.markHelp[mark] ?? ""}>
          {consoleWithdrawals.marks[mark] ?? mark}
        </span>
      ))}
    </>
  );
}
