/** Adds a copy button to the code blocks of every page. */
for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", () => void press(button, block.querySelector("code")));
  block.append(button);
}

async function press(button, code) {
  const isCopied = await copy(code);
  button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

/** The clipboard is not available over plain HTTP from another machine, so the text is selected instead. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}
