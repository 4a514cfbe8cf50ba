import { buildSchema } from "graphql";

/**
 * The GraphQL schema. The schema is a part of the GitLab GraphQL API, in the version in which `paused`
 * replaces `active`.
 */
export const schema = buildSchema(`
  "The id of a runner, such as \\"gid://gitlab/Ci::Runner/1\\"."
  scalar CiRunnerID

  "A time in ISO 8601 and UTC."
  scalar Time

  enum CiRunnerType { INSTANCE_TYPE GROUP_TYPE PROJECT_TYPE }

  "The status of a runner, derived from its last contact. The status does not depend on the field paused."
  enum CiRunnerStatus { ONLINE OFFLINE NOT_CONNECTED }

  enum CiRunnerAccessLevel { NOT_PROTECTED REF_PROTECTED }

  enum CiRunnerSort { CREATED_ASC CREATED_DESC }

  type CiRunner {
    id: CiRunnerID!
    runnerType: CiRunnerType!
    description: String
    "A paused runner receives no jobs."
    paused: Boolean!
    status: CiRunnerStatus!
    contactedAt: Time
    createdAt: Time
    locked: Boolean
    runUntagged: Boolean!
    accessLevel: CiRunnerAccessLevel!
    "The maximum duration of a job in seconds; null for no limit."
    maximumTimeout: Int
    maintenanceNote: String
    tagList: [String!]
    version: String
    revision: String
    platformName: String
    architectureName: String
    executorName: String
  }

  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type CiRunnerEdge {
    cursor: String!
    node: CiRunner
  }

  type CiRunnerConnection {
    nodes: [CiRunner]
    edges: [CiRunnerEdge]
    pageInfo: PageInfo!
    "The total number of runners."
    count: Int!
  }

  type Query {
    "A runner by id; null if the runner does not exist or is not visible to the caller."
    runner(id: CiRunnerID!): CiRunner
    "The runners of projects that the caller maintains and groups that the caller owns; all runners for administrators. Newest first."
    runners(
      "The page size, at most 100."
      first: Int
      after: String
      paused: Boolean
      status: CiRunnerStatus
      type: CiRunnerType
      "Return only runners that have all of these tags."
      tagList: [String!]
      versionPrefix: String
      sort: CiRunnerSort
    ): CiRunnerConnection
  }

  input RunnerUpdateInput {
    id: CiRunnerID!
    description: String
    paused: Boolean
    locked: Boolean
    runUntagged: Boolean
    accessLevel: CiRunnerAccessLevel
    maximumTimeout: Int
    maintenanceNote: String
    tagList: [String!]
    clientMutationId: String
  }

  type RunnerUpdatePayload {
    runner: CiRunner
    errors: [String!]!
    clientMutationId: String
  }

  input RunnerDeleteInput {
    id: CiRunnerID!
    clientMutationId: String
  }

  type RunnerDeletePayload {
    errors: [String!]!
    clientMutationId: String
  }

  type Mutation {
    runnerUpdate(input: RunnerUpdateInput!): RunnerUpdatePayload
    runnerDelete(input: RunnerDeleteInput!): RunnerDeletePayload
  }
`);
