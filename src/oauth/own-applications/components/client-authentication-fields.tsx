import { ChoiceGroup } from "@/ui/choice";
import { FormChoice, FormField, FormTextField } from "@/ui/form-fields";

/** Shows the fields for the authentication of a confidential application. */
export function ClientAuthenticationFields() {
  return (
    <>
      <ChoiceGroup
        id="authentication"
        legend="How does the application authenticate?"
        hint="Applies only to confidential applications."
      >
        <FormChoice
          id="auth-method-secret"
          type="radio"
          name="auth_method"
          value=""
          label="With a client secret"
          detail="The application sends its secret by HTTP Basic or in the body of the request. Most clients use this method."
        />
        <FormChoice
          id="auth-method-private-key"
          type="radio"
          name="auth_method"
          value="private_key_jwt"
          label="With its own private key"
          detail={
            <>
              The application signs an assertion (<code>private_key_jwt</code>). This server stores only the
              public key, and the application has no secret.
            </>
          }
        />
        <FormChoice
          id="auth-method-signed-secret"
          type="radio"
          name="auth_method"
          value="client_secret_jwt"
          label="With an assertion that is signed with a secret"
          detail={
            <>
              The application signs an assertion with its secret (<code>client_secret_jwt</code>), and never
              sends the secret. The server stores the secret encrypted. If you select this method for an
              existing application, its secrets are replaced.
            </>
          }
        />
      </ChoiceGroup>
      <FormTextField
        id="jwks"
        name="jwks"
        label="Public keys"
        hint="Enter a JWK Set with RSA, EC or Ed25519 keys if the application has its own private key."
        rows={4}
        placeholder={'{"keys": [{"kty": "EC", "crv": "P-256", "x": "…", "y": "…", "kid": "2026-11"}]}'}
        problemKey="authentication"
        spellCheck={false}
        autoCapitalize="none"
      />
      <FormField
        id="jwks_uri"
        name="jwks_uri"
        label="URL of the public keys"
        hint="If the application publishes its public keys, enter their https URL instead of the keys. The server uses new keys within 30 seconds."
        type="url"
        placeholder="https://app.example.com/jwks.json"
        autoComplete="off"
      />
    </>
  );
}
