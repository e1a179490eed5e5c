// A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 java Receiver.java
import com.sun.net.httpserver.*;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
public class Receiver {
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet(); // yours is a table with a unique column
    static final int MAX_BYTES = 1_048_576;
    static final Pattern ID = Pattern.compile("\"id\":\"(evt_[^\"]+)\""); // yours is a JSON library
    static boolean isGenuine(String header, byte[] body) throws Exception {
        List<String> entries = Stream.of(header == null ? new String[0] : header.split(",")).map(String::strip).toList();
        String t = entries.stream().filter(e -> e.matches("t=\\d{1,12}")).findFirst().orElse("t=0").substring(2);
        boolean isSigned = false;
        for (String secret : System.getenv("WEBHOOK_SECRET").strip().split("[\\s,]+")) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes("UTF-8"), "HmacSHA256")); // refuses an empty secret
            mac.update((t + ".").getBytes("UTF-8"));
            byte[] expected = ("v1=" + HexFormat.of().formatHex(mac.doFinal(body))).getBytes("UTF-8");
            isSigned |= entries.stream().anyMatch(e -> MessageDigest.isEqual(e.getBytes(), expected));
        }
        return isSigned && Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(t)) <= 300;
    }

    static int receive(HttpExchange exchange) throws Exception {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1); // the raw bytes, before anything parses them
        if (body.length > MAX_BYTES || !isGenuine(exchange.getRequestHeaders().getFirst("X-Partner-Signature"), body)) return 400;
        Matcher id = ID.matcher(new String(body, "UTF-8"));
        if (id.find() && SEEN.add(id.group(1))) System.out.println(id.group(1));
        return 204;
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("sun.net.httpserver.maxReqTime", "30"); // seconds for a whole request
        String host = Optional.ofNullable(System.getenv("HOST")).orElse("0.0.0.0");
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(System.getenv("PORT")));
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", exchange -> {
            try (exchange) { exchange.sendResponseHeaders(receive(exchange), -1); } catch (Exception failure) { }
        });
        server.setExecutor(Executors.newCachedThreadPool()); // several at once
        server.start();
    }
}
