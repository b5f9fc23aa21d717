/* Buttons that open a part of the side bar have an icon alone: say which part it is. */
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll(".bd-sidenav summary")) {
    const link = button.closest("li").querySelector("a");
    button.setAttribute("aria-label", `Pages of ${link.textContent.trim()}`);
  }
});
