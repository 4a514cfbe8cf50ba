/** The numeric settings of a Geo site, each with its label. */
export const CAPACITY_FIELDS = {
  files_max_capacity: "File synchronization concurrency limit",
  repos_max_capacity: "Repository synchronization concurrency limit",
  verification_max_capacity: "Verification concurrency limit",
  container_repositories_max_capacity: "Container repository synchronization concurrency limit",
  minimum_reverification_interval: "Re-verification interval in days",
} as const;
