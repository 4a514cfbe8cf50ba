import { buildSchema } from "graphql";

/** What can be asked for: names and types are the dialect's, since it calls a paused runner paused. */
export const schema = buildSchema(`
  "The id of a runner, such as \\"gid://gitlab/Ci::Runner/1\\"."
  scalar CiRunnerID

  "A moment, as ISO 8601 in UTC."
  scalar Time

  enum CiRunnerType { INSTANCE_TYPE GROUP_TYPE PROJECT_TYPE }

  "When a runner last called. Whether it is paused is another question."
  enum CiRunnerStatus { ONLINE OFFLINE NOT_CONNECTED }

  enum CiRunnerAccessLevel { NOT_PROTECTED REF_PROTECTED }

  enum CiRunnerSort { CREATED_ASC CREATED_DESC }

  type CiRunner {
    id: CiRunnerID!
    runnerType: CiRunnerType!
    description: String
    "A paused runner is given no job."
    paused: Boolean!
    status: CiRunnerStatus!
    contactedAt: Time
    createdAt: Time
    locked: Boolean
    runUntagged: Boolean!
    accessLevel: CiRunnerAccessLevel!
    "In seconds; null for no limit."
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
    "How many there are in all."
    count: Int!
  }

  type Query {
    "One runner; null for one that is not there, or not for the caller to see."
    runner(id: CiRunnerID!): CiRunner
    "Those that the caller maintains or owns; for administrators every one. The newest first."
    runners(
      "At most 100."
      first: Int
      after: String
      paused: Boolean
      status: CiRunnerStatus
      type: CiRunnerType
      "Only those that have all of these tags."
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
