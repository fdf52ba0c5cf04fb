// A view's state is its form; the address of the page is that of all its fields.

/** Return the fields of a form that differ from how it is when nothing is said. */
export function stateOf(form) {
  const state = new URLSearchParams();
  for (const field of form.elements) {
    if (!field.name || field.type === "file") continue;
    if (field.type === "checkbox") {
      if (field.checked) state.set(field.name, "1");
    } else if (field.value !== usual(field)) state.set(field.name, field.value);
  }
  return state;
}

/** Set the fields of a form; those that are not named are as when nothing is said. */
export function fill(form, state) {
  for (const field of form.elements) {
    if (!field.name || field.type === "file") continue;
    const value = state.get(field.name);
    if (field.type === "checkbox") field.checked = value === "1";
    else if (field.tagName === "SELECT") choose(field, value ?? usual(field));
    else field.value = value ?? usual(field);
  }
}

function usual(field) {
  if (field.type === "hidden") return ""; // its default is whatever it was set to
  if (field.tagName !== "SELECT") return field.defaultValue ?? "";
  return field.dataset.first ?? field.options[0]?.value ?? "";
}

/** Choose in a list; the lists come with Python, and a link may be opened before. */
function choose(field, value) {
  if (![...field.options].some((each) => each.value === value)) field.append(new Option(value || "?", value));
  field.value = value;
}

/** Fill the lists of names that Python knows. */
export function fillLists(lists) {
  for (const field of document.querySelectorAll("select[data-list]")) {
    const kept = field.value || usual(field);
    const names = lists[field.dataset.list];
    field.replaceChildren(...(field.dataset.first ? [] : [new Option("?", "")]), ...names.map((name) => new Option(name, name)));
    choose(field, kept);
  }
}

/** Return the options of a command line that a form stands for. */
export function options(form) {
  const words = [];
  for (const field of form.elements) {
    if (field.closest("[hidden]") || (field.dataset.text !== undefined && form.elements.show?.value)) continue;
    if (field.dataset.flag !== undefined) {
      if (field.type === "checkbox" ? field.checked : field.value) words.push(field.value);
    } else if (field.dataset.option && field.value.trim()) words.push(field.dataset.option, field.value.trim());
  }
  return words;
}
