/** Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false. */
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Scanner;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
  static boolean isGenuine(byte[] secret, String header, byte[] body, long now) throws Exception {
    String[] entries = Stream.of(header.split(",")).map(String::strip).toArray(String[]::new);
    String t = "";
    for (String entry : entries) if (t.isEmpty() && entry.startsWith("t=")) t = entry.substring(2);
    if (!t.matches("[0-9]{1,18}") || Math.abs(now - Long.parseLong(t)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
    byte[] digest = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
    boolean isSigned = false;
    for (String entry : entries)
      if (entry.startsWith("v1="))
        isSigned |= MessageDigest.isEqual(entry.substring(3).getBytes(StandardCharsets.UTF_8), digest);
    return isSigned;
  }

  static byte[] decode(String text) {
    return Base64.getDecoder().decode(text);
  }

  public static void main(String[] args) throws Exception {
    Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
    while (lines.hasNextLine()) {
      String[] parts = lines.nextLine().split(" ", -1);
      String header = new String(decode(parts[1]), StandardCharsets.UTF_8);
      System.out.println(isGenuine(decode(parts[0]), header, decode(parts[2]), Long.parseLong(parts[3])));
    }
  }
}
