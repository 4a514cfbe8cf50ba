/** The side list of what is above a single project. */
export const PROJECT_PLACES = {
  label: "Projects and groups",
  items: [
    { label: "Projects", href: "/projects" },
    { label: "Groups", href: "/groups" },
  ],
};
