// Light or dark: as the system has it, until the button says otherwise.

export function themeButton(button) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light")) === "dark";
  const apply = () => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  };
  button.addEventListener("click", () => {
    localStorage.setItem("theme", isDark() ? "light" : "dark");
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}
