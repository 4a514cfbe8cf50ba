/** The navigation of the pages that are not about a single project or group. */
export const PROJECT_PLACES = {
  label: "Projects and groups",
  items: [
    { label: "Projects", href: "/projects", icon: "projects" },
    { label: "Groups", href: "/groups", icon: "groups" },
  ],
} as const;
