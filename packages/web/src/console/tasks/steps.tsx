/** A task in steps: each step is complete before the next one opens, and the last one sends the request. */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { Button } from "../../panels/controls.tsx";
import { consoleSteps as words } from "../../words/words.ts";
import { TaskWindow, type TaskWindowProps } from "./task-window.tsx";

export interface Step {
  readonly name: string;
  /** What is missing in the step; "" if it is complete. */
  readonly check: () => string;
  readonly children: ComponentChildren;
}

interface StepsProps extends Omit<TaskWindowProps, "check" | "children" | "back" | "next"> {
  readonly steps: readonly Step[];
  /** Content beside all steps, such as a preview. */
  readonly aside?: ComponentChildren;
}

export function StepsWindow({ steps, aside, ...task }: StepsProps) {
  const place = useSignal(0);
  const at = place.value;
  const step = steps[at];
  if (step === undefined) return null;
  const isLast = at === steps.length - 1;
  // Fields that are complete now may have been made incomplete by a change of an earlier step.
  const check = (): string =>
    steps
      .slice(0, at + 1)
      .map((one) => one.check())
      .find((problem) => problem !== "") ?? "";
  return (
    <TaskWindow
      {...task}
      class="task-steps"
      check={check}
      {...(at > 0 && { back: () => (place.value = at - 1) })}
      {...(!isLast && { next: () => (place.value = at + 1) })}
    >
      <ol class="steps" aria-label={words.steps}>
        {steps.map(({ name }, number) => (
          <li key={name} aria-current={number === at ? "step" : undefined}>
            <Button class="quiet" disabled={number >= at} onClick={() => (place.value = number)}>
              {`${number + 1}. ${name}`}
            </Button>
          </li>
        ))}
      </ol>
      <div class={aside === undefined ? "" : "beside"}>
        <div class="step" role="group" aria-label={words.stepOf(at + 1, steps.length, step.name)} key={step.name}>
          {step.children}
        </div>
        {aside}
      </div>
    </TaskWindow>
  );
}
