// A webhook receiver in Spring Boot 3, beside Receiver.java.
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import java.io.InputStream;

@RestController
class WebhooksController {
    @PostMapping("/webhooks")
    ResponseEntity<Void> receive(
            @RequestHeader(value = "X-Partner-Signature", required = false) String header,
            InputStream stream) throws Exception {
        byte[] body = stream.readNBytes(Receiver.MAX_BYTES + 1); // the raw bytes, before anything parses them
        boolean isGenuine = body.length <= Receiver.MAX_BYTES && Receiver.isGenuine(header, body);
        if (!isGenuine) return ResponseEntity.badRequest().build();
        var id = Receiver.ID.matcher(new String(body, "UTF-8"));
        if (id.find() && Receiver.SEEN.add(id.group(1))) System.out.println(id.group(1));
        return ResponseEntity.noContent().build();
    }
}
