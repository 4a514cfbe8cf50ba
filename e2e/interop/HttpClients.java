import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Requests a token and uses it, with the unmodified HTTP client of the JDK. The client offers HTTP/2 in the
 * first request of each connection.
 */
public class HttpClients {
  public static void main(String[] args) throws Exception {
    String baseUrl = args[0];
    String form =
        "grant_type=password&username=root&password=" + encode(args[3])
            + "&client_id=" + encode(args[1]) + "&client_secret=" + encode(args[2]);
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest.Builder toToken =
        request(baseUrl + "/oauth/token")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form));
    String answer = send(client, "token", toToken);
    String token = answer.replaceAll("(?s).*\"access_token\":\"([^\"]+)\".*", "$1");
    send(client, "user", request(baseUrl + "/api/v4/user").header("Authorization", "Bearer " + token));
    // A new client offers HTTP/2 again.
    send(HttpClient.newHttpClient(), "page", request(baseUrl + "/users/sign_in"));
    send(HttpClient.newHttpClient(), "keys", request(baseUrl + "/oauth/discovery/keys"));
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60));
  }

  static String send(HttpClient client, String name, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(name + " " + answer.statusCode() + " " + answer.version());
    return answer.body();
  }
}
