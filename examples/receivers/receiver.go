// A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

func isGenuine(header string, body []byte) (isSigned bool) {
	var t int64 // stays 0, which is too old, if the header is malformed
	fmt.Sscanf(header, "t=%d", &t)
	for _, secret := range strings.Fields(strings.ReplaceAll(os.Getenv("WEBHOOK_SECRET"), ",", " ")) {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%d.%s", t, body)
		for _, given := range strings.Split(header, ",") {
			isSigned = isSigned || hmac.Equal([]byte(strings.TrimSpace(given)), fmt.Appendf(nil, "v1=%x", mac.Sum(nil)))
		}
	}
	return isSigned && time.Since(time.Unix(t, 0)).Abs() <= 300*time.Second
}

var seen sync.Map // yours is a table with a unique column

func receive(w http.ResponseWriter, r *http.Request) {
	var event struct{ ID, Type string }
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes, before anything parses them
	if err != nil || !isGenuine(r.Header.Get("X-Partner-Signature"), body) || json.Unmarshal(body, &event) != nil {
		w.WriteHeader(http.StatusBadRequest)
	} else if _, isRepeated := seen.LoadOrStore(event.ID, true); !isRepeated {
		fmt.Println(event.ID, event.Type)
	}
}

func main() {
	http.HandleFunc("/", receive)
	server := http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), ReadTimeout: 30 * time.Second}
	panic(server.ListenAndServe())
}
