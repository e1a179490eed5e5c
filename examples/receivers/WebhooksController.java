// A webhook receiver in Spring Boot 3, beside Receiver.java.
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class WebhooksController {
    /** The body is the raw bytes, before anything parses them. */
    @PostMapping("/webhooks")
    ResponseEntity<Void> receive(
            @RequestHeader(value = "X-Partner-Signature", required = false) String header,
            @RequestBody byte[] body) throws Exception {
        if (!Receiver.isGenuine(header, body)) return ResponseEntity.badRequest().build();
        var id = Receiver.ID.matcher(new String(body, "UTF-8"));
        if (id.find() && Receiver.SEEN.add(id.group(1))) System.out.println(id.group(1));
        return ResponseEntity.noContent().build();
    }
}
