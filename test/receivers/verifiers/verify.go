// Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false.
package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func isGenuine(secret, body []byte, header string, now int64) bool {
	t, given := "", []string{}
	for _, entry := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(entry), "=")
		if name == "t" && t == "" {
			t = value
		} else if name == "v1" {
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseUint(t, 10, 62)
	if err != nil || now-int64(seconds) > 300 || int64(seconds)-now > 300 {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	digest := []byte(hex.EncodeToString(mac.Sum(nil)))
	isSigned := false
	for _, value := range given {
		isSigned = hmac.Equal([]byte(value), digest) || isSigned
	}
	return isSigned
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), " ")
		decoded := [3][]byte{}
		for index := range decoded {
			decoded[index], _ = base64.StdEncoding.DecodeString(parts[index])
		}
		now, _ := strconv.ParseInt(parts[3], 10, 64)
		fmt.Println(isGenuine(decoded[0], decoded[2], string(decoded[1]), now))
	}
}
