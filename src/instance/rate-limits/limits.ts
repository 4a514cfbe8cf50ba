type Limit = Readonly<{ most: number; perSeconds: number; about: string }>;

/**
 * The rate limits for failures. The limits of registrations, password resets, confirmation links, invitations,
 * pushed authorization requests, device authorization requests, client metadata documents, the client credentials
 * grant, comments and sign-ins with other providers also count successful attempts. `most` is the default of the
 * setting for the limit.
 */
export const LIMITS = {
  oauth_refused: {
    most: 300,
    perSeconds: 60,
    about: "Failed client authentications and grants per minute, for each client and IP address",
  },
  password_per_login: {
    most: 10,
    perSeconds: 180,
    about: "Wrong passwords in 3 minutes, for each login name and IP address",
  },
  password_per_login_in_all: {
    most: 100,
    perSeconds: 3600,
    about:
      "Wrong passwords per hour, for each login name from all IP addresses, not counting browsers that the user has used before",
  },
  password_per_device: {
    most: 10,
    perSeconds: 180,
    about: "Wrong passwords in 3 minutes, for each browser that the user has used before",
  },
  password_per_address: {
    most: 100,
    perSeconds: 180,
    about: "Wrong passwords in 3 minutes, for each IP address",
  },
  second_factor_per_user: {
    most: 5,
    perSeconds: 600,
    about: "Wrong second factors in 10 minutes, for each user",
  },
  second_factor_per_address: {
    most: 30,
    perSeconds: 600,
    about: "Wrong second factors in 10 minutes, for each IP address",
  },
  sign_up_per_address: { most: 10, perSeconds: 3600, about: "Registrations per hour, for each IP address" },
  password_reset_per_email: {
    most: 5,
    perSeconds: 3600,
    about: "Requested password resets per hour, for each e-mail address",
  },
  password_reset_per_address: {
    most: 20,
    perSeconds: 3600,
    about: "Requested password resets per hour, for each IP address",
  },
  email_confirmation_per_user: {
    most: 5,
    perSeconds: 3600,
    about:
      "Links to confirm an e-mail address per hour, for each user, not counting the link of the registration",
  },
  email_confirmation_per_email: {
    most: 10,
    perSeconds: 3600,
    about: "Links to confirm an e-mail address per hour, for each e-mail address, from all users",
  },
  provider_sign_in_per_address: {
    most: 300,
    perSeconds: 600,
    about: "Sign-ins that were started with other providers in 10 minutes, for each IP address",
  },
  invitation_per_user: { most: 50, perSeconds: 3600, about: "Invitations by e-mail per hour, for each user" },
  invitation_per_email: {
    most: 5,
    perSeconds: 3600,
    about: "Invitations by e-mail per hour, for each e-mail address, from all users",
  },
  user_code_per_user: {
    most: 5,
    perSeconds: 300,
    about:
      "Wrong user codes in 5 minutes, or in the lifetime of a user code if the lifetime is longer, for each user",
  },
  user_code_per_address: {
    most: 20,
    perSeconds: 600,
    about: "Wrong user codes in 10 minutes, for each IP address",
  },
  user_code_per_instance: {
    most: 1000,
    perSeconds: 3600,
    about: "Wrong user codes per hour, for the whole instance",
  },
  client_document_per_url: {
    most: 1,
    perSeconds: 60,
    about: "Requests for a client metadata document per minute, for each document",
  },
  client_document_per_source: {
    most: 30,
    perSeconds: 3600,
    about: "Requests for client metadata documents per hour, for each user or IP address",
  },
  client_registration_per_address: {
    most: 20,
    perSeconds: 3600,
    about: "Dynamic client registrations per hour, for each IP address",
  },
  pushed_request_per_client: {
    most: 60,
    perSeconds: 60,
    about:
      "Pushed authorization requests per minute, for each combination of an IP address and an application without a secret",
  },
  device_request_per_client: {
    most: 300,
    perSeconds: 300,
    about:
      "Device authorization requests in 5 minutes, for each combination of an IP address and an application without a secret",
  },
  client_credentials_per_client: {
    most: 600,
    perSeconds: 600,
    about: "Tokens of the client credentials grant in 10 minutes, for each application",
  },
  error_comment_per_user: {
    most: 60,
    perSeconds: 600,
    about: "Comments on tracked errors in 10 minutes, for each user",
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
