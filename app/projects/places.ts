/** The navigation of the pages that belong to no single project or group. */
export const PROJECT_PLACES = {
  label: "Projects and groups",
  items: [
    { label: "Projects", href: "/projects" },
    { label: "Groups", href: "/groups" },
  ],
};
